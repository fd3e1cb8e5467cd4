import Geometry
import Signal
import Testing

@testable import Soundstage

@Suite struct StereoFoldTests {
    private func fold(_ name: String) throws -> [String: SIMD2<Float>] {
        let layout = try Layout.named(name)
        let gains = layout.stereoFoldDown.map { SIMD2($0.left, $0.right) }
        return Dictionary(uniqueKeysWithValues: zip(layout.loudspeakers.map(\.symbol), gains))
    }

    @Test func fiveOneFoldsByTheTableOfBS775() throws {
        let half = Float(0.5.squareRoot())
        let gains = try fold("5.1")
        #expect(gains["FL"] == SIMD2(1, 0) && gains["FR"] == SIMD2(0, 1))
        for (symbol, expected) in [("FC", SIMD2(half, half)), ("SL", SIMD2(half, 0)), ("SR", SIMD2(0, half))] {
            let found = try #require(gains[symbol])
            #expect(abs(found.x - expected.x) < 1e-7 && abs(found.y - expected.y) < 1e-7, "\(symbol) \(found)")
        }
        #expect(gains["LFE"] == SIMD2(0, 0))
    }

    @Test func stereoFoldsToItselfAndMonoToBoth() throws {
        #expect(try fold("stereo") == ["FL": SIMD2(1, 0), "FR": SIMD2(0, 1)])
        let mono = try #require(try fold("mono")["M"])
        #expect(abs(mono.x - Float(0.5.squareRoot())) < 1e-7 && abs(mono.y - mono.x) < 1e-7)
    }

    @Test func aSingleBackSurroundComesAtHalfInBothAsInTheTable() {
        let (left, right) = StereoFold.gains(azimuthDegrees: 180, elevationDegrees: 0)
        #expect(abs(left - 0.5) < 1e-12 && abs(right - 0.5) < 1e-12)
    }

    @Test(arguments: Layout.names) func surroundsAndHeightsKeepTheirSideAt3dBLess(_ name: String) throws {
        for (symbol, gains) in try fold(name)
        where symbol != "BC" && (symbol.hasPrefix("S") || symbol.hasPrefix("B") || symbol.hasPrefix("T")) {
            let (own, other) = symbol.hasSuffix("L") ? (gains.x, gains.y) : (gains.y, gains.x)
            #expect(abs(own - Float(0.5.squareRoot())) < 1e-7 && other == 0, "\(symbol) of \(name): \(gains)")
        }
    }

    @Test(arguments: Layout.Angles.allCases) func leftAndRightMirrorEachOther(_ angles: Layout.Angles) throws {
        for azimuth in stride(from: 0.0, through: 180, by: 7.5) {
            for elevation in stride(from: -90.0, through: 90, by: 15) {
                let here = StereoFold.gains(azimuthDegrees: azimuth, elevationDegrees: elevation)
                let there = StereoFold.gains(azimuthDegrees: -azimuth, elevationDegrees: elevation)
                #expect(abs(here.left - there.right) < 1e-12 && abs(here.right - there.left) < 1e-12)
            }
        }
        let layout = try Layout.named("9.1.6", angles: angles)
        let sum = layout.stereoFoldDown.reduce(SIMD2<Float>(0, 0)) { $0 + SIMD2($1.left, $1.right) }
        #expect(abs(sum.x - sum.y) < 1e-6)
    }

    @Test func gainsChangeWithoutStepsOverTheSphere() {
        var largest = 0.0
        for elevation in stride(from: -90.0, through: 90, by: 1) {
            var before = StereoFold.gains(azimuthDegrees: -180, elevationDegrees: elevation)
            for azimuth in stride(from: -179.0, through: 180, by: 1) {
                let here = StereoFold.gains(azimuthDegrees: azimuth, elevationDegrees: elevation)
                largest = max(largest, abs(here.left - before.left), abs(here.right - before.right))
                before = here
            }
        }
        // Constant-power panning turns by 90° over 60° of azimuth: gains change by sin 1.5° per degree at most.
        #expect(largest < 0.027)
    }

    @Test func aLoudspeakersOwnGainCounts() {
        let layout = Layout(
            name: "booth", loudspeakers: [Loudspeaker(symbol: "A", azimuthDegrees: 30, gain: Decibels(-20))])
        #expect(abs(layout.stereoFoldDown[0].left - 0.1) < 1e-7 && layout.stereoFoldDown[0].right == 0)
    }

    @Test(arguments: AmbisonicFormat.Convention.allCases)
    func aFieldFoldsAPlaneWaveAsALoudspeakerThere(_ convention: AmbisonicFormat.Convention) throws {
        let format = try AmbisonicFormat(order: 3, convention: convention)
        let matrix = Layout(format).stereoFoldDown
        // Order 3 smooths the corner at the front, where the error is largest.
        for (azimuth, bound) in [(0.0, 0.16), (90, 0.08), (180, 0.06), (-135, 0.05)] {
            let harmonics = SphericalHarmonics.values(
                order: 3, Direction<Stage>(azimuthDegrees: azimuth, elevationDegrees: 0))
            var (left, right) = (0.0, 0.0)
            for channel in 0..<format.channelCount {
                let (acn, gain) = format.place(ofChannel: channel)
                left += Double(matrix[channel].left) * harmonics[acn] / gain
                right += Double(matrix[channel].right) * harmonics[acn] / gain
            }
            let wanted = StereoFold.gains(azimuthDegrees: azimuth, elevationDegrees: 0)
            #expect(
                abs(left - wanted.left) < bound && abs(right - wanted.right) < bound, "\(azimuth): \(left) \(right)")
        }
    }
}
