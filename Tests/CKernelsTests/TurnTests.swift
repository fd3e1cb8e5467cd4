import CKernels
import Testing

@Suite struct TurnTests {
    /// Σ_c (from + w·change)·x in double precision, with w = step·(first + i) at index i.
    private static func reference(
        _ count: Int, _ x: [[Float]], _ from: [Float], _ change: [Float]?, first: Int, step: Float
    ) -> [[Double]] {
        (0..<count).map { row in
            x[0].indices.map { i in
                (0..<count).reduce(0.0) { sum, column in
                    let moving = change.map { Double($0[row * count + column]) * Double(step) * Double(first + i) } ?? 0
                    return sum + (Double(from[row * count + column]) + moving) * Double(x[column][i])
                }
            }
        }
    }

    /// Runs a table's kernel over rows in pieces, divided at `cuts`. Returns the rows of results, each followed by a
    /// guard value of 9.
    private static func run(
        _ table: prk_table, _ count: Int, _ x: [[Float]], _ from: [Float], _ change: [Float]?, first: Int, step: Float,
        cuts: [Int]
    ) -> [[Float]] {
        let n = x[0].count
        let rows = (0..<count).map { row -> UnsafeMutablePointer<Float> in
            let copy = UnsafeMutablePointer<Float>.allocate(capacity: n + 1)
            for i in 0..<n { copy[i] = x[row][i] }
            return copy
        }
        let results = (0..<count).map { _ -> UnsafeMutablePointer<Float> in
            let row = UnsafeMutablePointer<Float>.allocate(capacity: n + 1)
            row.initialize(repeating: 9, count: n + 1)
            return row
        }
        defer { for row in rows + results { row.deallocate() } }
        for (start, end) in zip([0] + cuts, cuts + [n]) {
            let inputs: [UnsafePointer<Float>?] = rows.map { UnsafePointer($0 + start) }
            let outputs: [UnsafeMutablePointer<Float>?] = results.map { $0 + start }
            table.turn(end - start, count, inputs, from, change, first + start, step, outputs)
        }
        return results.map { row in (0...n).map { row[$0] } }
    }

    @Test(arguments: instructionSets) func turningMixesRowsByAMatrixThatMoves(_ name: String) throws {
        let table = try #require(prk_table_named(name)).pointee
        for n in lengths {
            for count in [1, 3, 5, 8, 15] {
                let x = (0..<count).map { noise(n, seed: UInt64($0) + 3) }
                let (from, change) = (noise(count * count, seed: 40), noise(count * count, seed: 41))
                for moving in [nil, change] {
                    let exact = Self.reference(count, x, from, moving, first: 5, step: 1 / 256)
                    let found = Self.run(table, count, x, from, moving, first: 5, step: 1 / 256, cuts: [])
                    for row in 0..<count {
                        for i in 0..<n { #expect(abs(Double(found[row][i]) - exact[row][i]) < 4e-6) }
                        #expect(found[row][n] == 9)
                    }
                }
            }
        }
    }

    @Test(arguments: instructionSets) func turningGivesTheSameBitsWhereverRowsAreCut(_ name: String) throws {
        let table = try #require(prk_table_named(name)).pointee
        let (n, count) = (130, 7)
        let x = (0..<count).map { noise(n, seed: UInt64($0) + 3) }
        let (from, change) = (noise(count * count, seed: 40), noise(count * count, seed: 41))
        for moving in [nil, change] {
            let whole = Self.run(table, count, x, from, moving, first: 0, step: 1 / 128, cuts: [])
            for cuts in [[64], [1, 2, 3], [17, 100], [129]] {
                let parts = Self.run(table, count, x, from, moving, first: 0, step: 1 / 128, cuts: cuts)
                #expect(parts == whole)
            }
        }
    }
}
