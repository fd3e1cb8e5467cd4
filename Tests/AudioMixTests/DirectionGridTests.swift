import Testing

@testable import AudioMix

@Suite struct DirectionGridTests {
    @Test func everyCentreLiesInItsOwnCell() {
        let grid = DirectionGrid()
        for cell in 0..<grid.count { #expect(grid.cell(grid.centres.base[cell]) == cell) }
        let top = grid.cell(SIMD3(0, 0, 1)), bottom = grid.cell(SIMD3(0, 0, -1))
        #expect(top < grid.count)
        #expect(bottom < 6)
    }

    @Test func oneVoteSpreadsRoundItsCell() {
        let grid = DirectionGrid()
        let weights = Row(grid.count, Float(0)), smooth = Row(grid.count, Float(0))
        let cell = grid.cell(SIMD3(0, 1, 0))
        weights.base[cell] = 2
        grid.spread(weights, into: smooth)
        #expect(abs(smooth.base[cell] - 2) < 1e-5)
        for i in 0..<grid.count where i != cell { #expect(smooth.base[i] < smooth.base[cell]) }
    }
}
