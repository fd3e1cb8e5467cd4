import Foundation
import Geometry
import HRTF
import Signal
import Testing

@testable import Rendering

/// A sound field with a turning head, compared with the same field rotated at every sample and decoded in double
/// precision.
@Suite struct AmbisonicMotionTests {
    /// Returns the ears for a plane wave while the head turns at `rate` degrees per second.
    private static func turned(
        _ x: [Float], _ decoder: AmbisonicDecoder, order: Int, rate: Double, azimuth: Double, elevation: Double
    ) -> Ears {
        let (count, channels) = (x.count, SphericalHarmonics.count(order: order))
        var turned = [[Double]](repeating: [Double](repeating: 0, count: count), count: channels)
        for i in 0..<count {
            let direction = Direction<Head>(
                azimuthDegrees: azimuth - rate * Double(i) / 48_000, elevationDegrees: elevation)
            for (channel, gain) in SphericalHarmonics.values(order: order, direction).enumerated() {
                turned[channel][i] = gain * Double(x[i])
            }
        }
        let ears = (0..<2).map { ear -> [Float] in
            var sum = [Double](repeating: 0, count: count)
            for channel in 0..<channels {
                for (k, tap) in decoder.filter(ear: ear, channel: channel).enumerated() where k < count {
                    for i in k..<count { sum[i] += Double(tap) * turned[channel][i - k] }
                }
            }
            return sum.map(Float.init)
        }
        return Ears(left: ears[0], right: ears[1])
    }

    @Test(arguments: [(100.0, -60.0), (300.0, -45.0)], [3, 7])
    func motionFollowsAFieldTurnedAtEverySample(_ speed: (Double, Double), _ order: Int) throws {
        let (rate, bound) = speed
        let count = 9600
        let decoder = AmbisonicDecoder(order: order, field: sphere)
        for (name, x) in [("8 kHz", sine(8000, count)), ("pink noise", pinkNoise(count))] {
            let exact = Self.turned(x, decoder, order: order, rate: rate, azimuth: 20, elevation: 10)
            let field = planeWave(x, order: order, azimuth: 20, elevation: 10)
            for slice in [64, 128, 256] {
                let renderer = try ambisonicStage(
                    order, slice: slice, poses: turning(degreesPerSecond: rate, seconds: Double(count) / 48_000))
                let error = render(renderer, field, periods: [100]).error(against: exact)
                #expect(error <= bound, "order \(order), \(name), slice \(slice), \(rate)°/s: \(error) dB")
            }
        }
    }

    /// Returns the sets of `Documentation/measurements/ambisonics.md` that are available on this machine.
    private static func sets() throws -> [(name: String, field: FilterField)] {
        func set(_ path: String) throws -> FilterField { try FilterField.load(.file(path), sampleRate: .studio).0 }
        var sets = [(name: "sphere", field: sphere)]
        if FileManager.default.fileExists(atPath: HRTFLibrary.systemDefault) {
            sets.append((name: "KEMAR", field: try set(HRTFLibrary.systemDefault)))
        }
        if let data = ProcessInfo.processInfo.environment["PROSCENIUM_DATA"] {
            sets.append((name: "KU 100", field: try set(data + "/sofa/libmysofa-tests__FHK_HRIR_L2354.sofa")))
        }
        return sets
    }

    /// Prints the table of `Documentation/measurements/ambisonics.md`, measured at the engine's output.
    @Test(.enabled(if: soak, "a long form: PROSCENIUM_SOAK=1")) func theTableOfMotion() throws {
        let x = sine(8000, 9600)
        let directions = [(20.0, 0.0), (90, 0), (180, 0), (-60, 30)]
        for order in [3, 7] {
            for (name, field) in try Self.sets() {
                let decoder = AmbisonicDecoder(order: order, field: field)
                for (rate, bound) in [(100.0, -60.0), (300, -45)] {
                    var worst: [Int: Double] = [:]
                    for (azimuth, elevation) in directions {
                        let exact = Self.turned(
                            x, decoder, order: order, rate: rate, azimuth: azimuth, elevation: elevation)
                        let wave = planeWave(x, order: order, azimuth: azimuth, elevation: elevation)
                        for slice in [64, 128, 256] {
                            let renderer = try ambisonicStage(
                                order, slice: slice, poses: turning(degreesPerSecond: rate, seconds: 0.2), field: field)
                            let error = render(renderer, wave, periods: [256]).error(against: exact)
                            worst[slice] = max(worst[slice] ?? -200, error)
                        }
                    }
                    #expect(worst.values.allSatisfy { $0 < bound })
                    print("motion, order \(order), \(name), \(rate)°/s: \(worst.sorted { $0.key < $1.key })")
                }
            }
        }
    }
}
