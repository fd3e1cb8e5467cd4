import Foundation
import IMU
import Testing

/// The effect of distorted stamps on the fused orientation. The seeds were not used during the development of the
/// clock.
@Suite struct StampFusionTests {
    private static let seeds: [UInt64] = [401, 402, 403, 404]

    /// RMS over all seeds, degrees.
    private static func error(_ distortion: Distortion, rate: Double, _ way: StampedMotion.Way) -> Double {
        let squares = seeds.map { seed in
            let motion = StampedMotion(times: evenTimes(rate, until: 40), seed: seed, way: way)
            return motion.meanSquareError(motion.times(distortion, seed: seed).times)
        }
        return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }

    @Test(arguments: [50.0, 100, 400], StampedMotion.Way.allCases)
    func distortedStampsDoNoMoreHarmThanNone(rate: Double, way: StampedMotion.Way) {
        let none = Self.error(.none, rate: rate, way)
        print("fused, \(way), \(rate) Hz: exact stamps \(Self.error(.exact, rate: rate, way))°, none \(none)°")
        let distortions: [Distortion] = [
            .jitter(0.001), .jitter(0.002), .jitter(0.005), .late(0.001), .unit(1e-3), .unit(1e-6), .unit(1e-9),
            .unit(1000), .constant, .backwards, .interleaved(4321), .interleaved(0.5), .quantised(0.001),
            .quantised(0.01),
        ]
        for distortion in distortions {
            let found = Self.error(distortion, rate: rate, way)
            print("fused, \(way), \(rate) Hz, \(distortion): \(found)°")
            // Rounded stamps are believed until a slip, or until their steps prove to be wrong. So the limit is larger.
            let isRounded = distortion == .quantised(0.001) || distortion == .quantised(0.01)
            #expect(found < (isRounded ? 1.25 * none + 1 : 1.05 * none + 0.02), "\(distortion)")
        }
    }

    /// Recordings of hands. Stamps with errors of ±1, ±2 and ±5 ms, taken at face value, would cost up to 26° (BROAD
    /// 06) and 14° (21).
    @Test(.enabled(if: RecordingTests.folder != nil, "PROSCENIUM_DATA is not set: the recordings are not here"))
    func recordingsWithDistortedStampsAreFollowedAsWithoutStamps() throws {
        let folder = try #require(RecordingTests.folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".csv.gz") }
            .sorted()
        try #require(names.count == 6)
        for name in names {
            let motion = try StampedMotion(recording: folder + "/" + name, seed: 51, way: .quiet)
            func error(_ distortion: Distortion) -> Double {
                motion.meanSquareError(motion.times(distortion, seed: 51).times).squareRoot()
            }
            let none = error(.none)
            print("fused, \(name): exact stamps \(error(.exact))°, none \(none)°")
            for distortion: Distortion in [
                .jitter(0.001), .jitter(0.002), .jitter(0.005), .unit(1e-3), .constant, .interleaved(4321),
            ] {
                let found = error(distortion)
                print("fused, \(name), \(distortion): \(found)°")
                #expect(found < 1.05 * none + 0.02, "\(name), \(distortion)")
            }
        }
    }
}
