import Testing

@testable import Signal

@Suite struct ConstantMemoryTests {
    @Test func itHoldsWhatWasWrittenOnABoundaryOf64Bytes() {
        let written = (0..<1000).map { Float($0) * 0.5 }
        let memory = ConstantMemory(written)
        defer { memory.deallocate() }
        #expect(written.indices.allSatisfy { memory[$0] == written[$0] })
        #expect(UInt(bitPattern: memory.base) % 64 == 0)
    }

    @Test func aPartOfItBeginsFurtherOn() {
        let memory = ConstantMemory([3, 1, 4, 1, 5])
        defer { memory.deallocate() }
        #expect((memory + 2)[0] == 4 && (memory + 2 + 1)[1] == 5)
    }

    @Test func whatWasWrittenElsewhereIsTakenOverAsItIs() {
        let rows = AlignedMemory.allocate(Double.self, count: 3)
        for i in 0..<3 { (rows + i).initialize(to: Double(i)) }
        let memory = ConstantMemory(rows)
        #expect(memory.base == UnsafePointer(rows) && memory[2] == 2)
        memory.deallocate()
    }

    @Test func nothingCanBeKeptInIt() {
        ConstantMemory([Int]()).deallocate()
    }
}
