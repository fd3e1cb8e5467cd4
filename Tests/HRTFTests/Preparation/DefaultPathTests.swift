import Foundation
import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

/// Differences of the default processing's responses from the stored ones, without the filter common to all directions.
@Suite struct DefaultPathTests {
    /// Folder `sofa` in `PROSCENIUM_DATA` with other measured sets; it is not part of the source tree.
    static let folder = ProcessInfo.processInfo.environment["PROSCENIUM_DATA"].map { $0 + "/sofa/" }
    static let absence: Comment = "PROSCENIUM_DATA names no folder with SOFA files"
    static let others = [
        "libmysofa-tests__LISTEN_1002_IRC_1002_C_HRIR.sofa",
        "libmysofa-tests__CIPIC_subject_003_hrir_final_itdInDelayField.sofa",
        "libmysofa-tests__FHK_HRIR_L2354.sofa",
        "3dti__3DTI_HRTF_IRC1008_256s_48000Hz.sofa",
    ]

    /// Returns mean differences over the directions `places` of a set: of critical bands in dB, and of interaural
    /// delays in µs. The bands exclude the common filter, each bin's mean change in dB over the directions `common`.
    static func deviation(_ file: FreeFieldHRIR, _ field: FilterField, at places: [Int], common: [Int])
        -> (bands: Double, delay: Double)
    {
        func pair(_ index: Int) -> (truth: Heard, played: Heard) {
            (
                Heard(
                    file.response(index, receiver: 0), file.response(index, receiver: 1), sampleRate: file.sampleRate),
                field.heard(file.directions[index])
            )
        }
        let known = stride(from: 0, to: common.count, by: max(1, common.count / 600)).map { pair(common[$0]) }
        let bins = known[0].truth.power[0].count
        var changes = [Double](repeating: 0, count: bins)
        for pair in known {
            for ear in 0..<2 {
                for bin in 0..<bins {
                    changes[bin] += log(
                        max(1e-20, pair.played.power[ear][bin]) / max(1e-20, pair.truth.power[ear][bin]))
                }
            }
        }
        let filter = changes.map { exp($0 / Double(2 * known.count)) }
        let critical = CriticalBands(from: 500, to: 16_000, binHz: known[0].truth.binHz, binCount: bins)
        var (distance, delay) = (0.0, 0.0)
        for index in places {
            let pair = pair(index)
            for ear in 0..<2 {
                let wanted = critical.decibels { pair.truth.power[ear][$0] * filter[$0] }
                distance += CriticalBands.distance(wanted, pair.played.bands[ear]) / 2
            }
            let stored = (file.delays[2 * index] - file.delays[2 * index + 1]) / file.sampleRate
            delay += abs(pair.played.interauralDelay - pair.truth.interauralDelay - stored) * 1e6
        }
        return (distance / Double(places.count), delay / Double(places.count))
    }

    /// Returns the same differences over about 600 measured directions, or over all where there are fewer.
    private func deviation(_ file: FreeFieldHRIR, _ field: FilterField) -> (bands: Double, delay: Double) {
        let places = Array(stride(from: 0, to: file.measurementCount, by: max(1, file.measurementCount / 600)))
        return Self.deviation(file, field, at: places, common: places)
    }

    @Test(.enabled(if: Kemar.isHere, Kemar.absence))
    func kemarIsTrueAtItsOwnDirections() throws {
        let file = try #require(Kemar.file)
        let (field, _) = try #require(Kemar.automatic)
        let deviation = deviation(file, field)
        #expect(deviation.bands < 0.15, "\(deviation.bands) dB")
        // The stored responses lack the common filter, so their onsets are found in responses with unequalised bass.
        #expect(deviation.delay < 8, "\(deviation.delay) µs")
    }

    @Test func theGeneratedHeadIsTrueAtItsOwnDirections() throws {
        let file = try FilterField.read(Sources.catalogue + "/generated.sofa")
        let (field, report) = try FilterField.prepare(file, sampleRate: .studio)
        let deviation = deviation(file, field)
        #expect(deviation.bands < 0.15, "\(deviation.bands) dB")
        #expect(deviation.delay < 2, "\(deviation.delay) µs")
        #expect(report.processing.contains { $0.contains("no low-frequency extension") })
    }

    @Test(.enabled(if: folder != nil, absence), arguments: others)
    func otherSetsAreTrueAtTheirOwnDirections(_ name: String) throws {
        let file = try FilterField.read(try #require(Self.folder) + name)
        let rate = try #require(SampleRate(hertz: file.sampleRate))
        let (field, _) = try FilterField.prepare(file, sampleRate: rate)
        let deviation = deviation(file, field)
        #expect(deviation.bands < 0.157, "\(deviation.bands) dB")
        #expect(deviation.delay < 8, "\(deviation.delay) µs")
    }

    @Test(.enabled(if: Kemar.isHere, Kemar.absence))
    func setsAreEquallyLoudOnAStage() throws {
        var levels: [Double] = []
        let loudness = EarLoudness(taps: 1024, sampleRate: 48_000)
        for path in [Sources.catalogue + "/generated.sofa", Kemar.path] {
            let (field, _) = try FilterField.prepare(try FilterField.read(path), sampleRate: .studio)
            var energy = 0.0
            for azimuth in StageLevel.azimuths {
                let ears = field.responses(Direction(azimuthDegrees: azimuth, elevationDegrees: 0))
                energy += loudness.energy(left: ears.left, right: ears.right)
            }
            levels.append(10 * log10(energy))
        }
        #expect(abs(levels[0] - levels[1]) < 0.5, "\(levels)")
    }

    @Test func bassThatIsNoiseIsReplaced() throws {
        var file = try FilterField.read(Sources.catalogue + "/generated.sofa")
        // A tone of 100 Hz, about as loud as the response at that frequency, with phase and level differing by
        // direction.
        for row in 0..<(2 * file.measurementCount) {
            let phase = Double(row * 7919 % 1000) / 1000 * 2 * .pi
            let level = 0.02 * Double(1 + row * 31 % 5)
            for i in 0..<file.sampleCount {
                file.responses[row * file.sampleCount + i] += Float(
                    level * sin(2 * .pi * 100 * Double(i) / file.sampleRate + phase))
            }
        }
        let (field, report) = try FilterField.prepare(file, sampleRate: .studio)
        #expect(report.processing.contains { $0.contains("rigid sphere") }, "\(report.processing)")
        let levels = (0..<12).map { step in
            field.heard(Direction(azimuthDegrees: Double(step) * 30, elevationDegrees: 0), count: 4096).level(0, at: 80)
        }
        let mean = levels.reduce(0, +) / 12
        let scatter = (levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 12).squareRoot()
        #expect(scatter < 1.5, "\(levels)")
    }

    @Test(arguments: [0.25, 0.5, 0.9])
    func fractionsOfASampleAreInterpolated(_ fraction: Double) {
        let conversion = ResponseConversion(from: 48_000, to: 48_000)
        let (taps, margin) = (200, 64)
        for frequency in [1000.0, 8000, 16_000] {
            // A tone under a smooth window, shifted by a fraction of a sample.
            func sample(_ time: Double) -> Double {
                let place = time / Double(taps)
                guard place > 0 && place < 1 else { return 0 }
                return pow(sin(.pi * place), 4) * sin(2 * .pi * frequency * time / 48_000)
            }
            let row = (0..<taps).map { Float(sample(Double($0))) }
            let moved = conversion.convert(
                row, taps: taps, lead: { _ in Double(margin) + fraction }, length: taps + 2 * margin)
            let worst = moved.indices.map { abs(Double(moved[$0]) - sample(Double($0 - margin) - fraction)) }.max() ?? 1
            #expect(worst < 3e-5, "\(frequency) Hz: \(20 * log10(worst)) dB")
        }
    }
}
