import Testing

/// Error of the orientations of a recording whose times scatter. The seeds were not used for tuning.
@Suite struct ScatteredRowsTests {
    static let seeds: [UInt64] = [701, 702, 703, 704]

    @Test(arguments: [
        (50.0, 0.001, 0.05, 0.1), (50, 0.005, 0, 0.45), (50, 0.005, 0.05, 0.3), (100, 0.001, 0.05, 0.1),
        (100, 0.002, 0, 0.15), (100, 0.002, 0.01, 0.2), (100, 0.002, 0.05, 0.15), (100, 0.003, 0.05, 0.2),
        (400, 0.001, 0, 0.12), (400, 0.001, 0.05, 0.1),
    ])
    func scatteredTimesAreEvenedDespiteLosses(rate: Double, scatter: Double, loss: Double, bound: Double) throws {
        let costs = try Self.seeds.map { seed in
            try ScatteredRows(rate: rate, scatter: scatter, loss: loss, seed: seed).cost()
        }
        let mean = costs.map(\.degrees).reduce(0, +) / Double(costs.count)
        print("\(rate) Hz, ±\(scatter * 1000) ms, \(loss * 100) % lost: \(mean)°")
        #expect(mean < bound)
        #expect(costs.allSatisfy { $0.remarks.count == 1 && $0.remarks[0].contains("scatter") })
    }

    @Test(arguments: [0, 0.05]) func exactTimesAreUsedAsTheyAre(loss: Double) throws {
        let found = try ScatteredRows(scatter: 0, loss: loss, seed: 705).cost()
        #expect(found.degrees < 0.01 && found.remarks.isEmpty)
    }
}
