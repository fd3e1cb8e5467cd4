import Geometry
import Glibc
import Testing

@testable import Sweeps

@Suite("Levels of the ears")
struct EarLevelTests {
    /// Returns the level of a simulated take whose right microphone has a gain, dB.
    private func level(_ names: [String], right: Double = 0) throws -> EarLevels.Level {
        let plan = RecoveryTests.plan(names, response: 0.35, sweep: FaultTests.sweep)
        let simulated = SimulatedTake(noise: 60, capsules: [(0, 0), (right, right)], seed: 11)
        let ears = simulated.recorded(plan, .studio)
        let take = try MeasuredTake(plan, left: ears.left, right: ears.right)
        let levels = take.responses.compactMap { response -> Double? in
            response.interauralLevel.map {
                $0 - EarLevels.expected(SimulatedPerson.direction(response.loudspeaker), distance: 2)
            }
        }
        #expect(levels.count == names.count)
        return try #require(EarLevels.Level(of: levels))
    }

    @Test("a person in a room has no fault, before loudspeakers at the front and at the sides, alone or together")
    func good() throws {
        let takes = [["FC"], ["FL"], ["FR"], ["SL"], ["SR"], ["FC", "FL", "FR"]]
        let levels = try takes.map { try level($0) }
        #expect(EarLevels.faults(levels).isEmpty, "\(levels)")
        for level in levels { #expect(EarLevels.fault(level, others: []) == nil, "\(level)") }
    }

    @Test("a gain that is changed by 10 dB in one take is named in that take alone", arguments: [-10.0, 10])
    func changed(gain: Double) throws {
        let levels = [
            try level(["FL", "FR"]), try level(["FC", "FL"]), try level(["FL", "FR"], right: gain),
            try level(["SL"]),
        ]
        let faults = EarLevels.faults(levels)
        #expect(Array(faults.keys) == [2], "\(faults)")
        guard case .unequalEars(let decibels, true)? = faults[2] else { return #expect(Bool(false), "\(faults)") }
        #expect(abs(decibels + gain) < 2)
        #expect(faults[2]?.description.contains("the \(gain < 0 ? "right" : "left") ear is") == true)
    }

    @Test("a microphone that is 14 dB quieter is named in the first take", arguments: ["FC", "SL", "SR"])
    func first(name: String) throws {
        let fault = EarLevels.fault(try level([name], right: -14), others: [])
        #expect(fault?.name == "unequal-ears" && fault?.description.contains("the right ear is") == true)
    }

    @Test("the level between the ears is that of the first sound; noise has none")
    func difference() throws {
        var ears = [[Double]](repeating: [Double](repeating: 0, count: 4800), count: 2)
        (ears[0][480], ears[1][500]) = (1, 0.5)
        // A later reflection does not count.
        ears[1][2000] = 1
        let level = try #require(EarLevels.difference(ears, sampleRate: 48_000))
        #expect(abs(level - 20 * log10(2)) < 0.2)
        let steady = ears.map { row in row.indices.map { sin(2 * .pi * 200 / 48_000 * Double($0)) } }
        #expect(EarLevels.difference(steady, sampleRate: 48_000) == nil)
        #expect(EarLevels.difference(ears.map { Array($0[..<1000]) }, sampleRate: 48_000) == nil)
    }

    @Test("a sphere has no difference in front, and some decibels at the side of a near loudspeaker")
    func expected() {
        let (front, left, right) = (
            Direction<Head>(azimuthDegrees: 0, elevationDegrees: 0),
            Direction<Head>(azimuthDegrees: 90, elevationDegrees: 0),
            Direction<Head>(azimuthDegrees: -90, elevationDegrees: 0)
        )
        #expect(abs(EarLevels.expected(front, distance: 1)) < 1e-9)
        #expect((1.5...4).contains(EarLevels.expected(left, distance: 1)))
        #expect(abs(EarLevels.expected(left, distance: 1) + EarLevels.expected(right, distance: 1)) < 1e-9)
        #expect(EarLevels.expected(left, distance: 3) < EarLevels.expected(left, distance: 1))
    }
}
