import Testing

@testable import Signal

@Suite(.timeLimit(.minutes(10))) struct HandoverTests {
    private final class Box { var count = 0 }

    @Test func itIsTakenOnce() {
        let handover = Handover(Box())
        #expect(handover.take() != nil)
        #expect(handover.take() == nil)
    }

    @Test func oneThreadMakesItAndAnotherWorksWithIt() throws {
        let box = Box()
        box.count = 41
        let (given, found) = (Handover(box), Ring(minimumCapacity: 1, filling: 0))
        defer { found.deallocate() }
        let worker = Worker(name: "test")
        try worker.start { _ in
            guard let box = given.take() else { return }
            box.count += 1
            _ = found.push(box.count)
        }
        #expect(worker.join(within: 60))
        #expect(found.pop() == 42)
        #expect(given.take() == nil)
    }

    @Test func workThatBlocksIsDoneApart() async {
        #expect(await Worker.apart("test") { 6 * 7 } == 42)
    }
}
