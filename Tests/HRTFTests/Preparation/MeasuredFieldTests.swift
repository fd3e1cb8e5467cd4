import AbsentPlaces
import Foundation
import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

/// Debian's measured set, from its file to the responses that are played.
@Suite(.enabled(if: Kemar.isHere, Kemar.absence)) struct MeasuredFieldTests {
    @Test func withoutProcessingMeasuredDirectionsPlayTheirStoredResponsesExactly() throws {
        let file = try #require(Kemar.file)
        let (field, report) = try #require(Kemar.plain)
        let shift = Int((-report.commonDelayRemoved * 44_100).rounded())
        #expect(abs(-report.commonDelayRemoved * 44_100 - Double(shift)) < 1e-6)
        for index in stride(from: 0, to: file.measurementCount, by: 59) {
            // Direction as read from a table with six decimals.
            let direction = Direction<Head>(
                azimuthDegrees: (file.directions[index].azimuth * 180 / .pi * 1e6).rounded() / 1e6,
                elevationDegrees: (file.directions[index].elevation * 180 / .pi * 1e6).rounded() / 1e6)
            let (left, right) = field.responses(direction)
            for (ear, played) in [left, right].enumerated() {
                var expected = [Float](repeating: 0, count: field.tapCount)
                for (i, value) in file.response(index, receiver: ear).enumerated() { expected[i + shift] = value }
                #expect(played == expected, "measurement \(index), ear \(ear)")
            }
        }
    }

    @Test func heldOutDirectionsAreInterpolatedWithinTheFiguresPromised() throws {
        let file = try #require(Kemar.file)
        // Every eleventh direction that is 12° or more from those chosen before: nearly the same as leaving out one at
        // a time.
        var held: [Int] = []
        for index in stride(from: 3, to: file.measurementCount, by: 11)
        where held.allSatisfy({ file.directions[$0].angle(to: file.directions[index]) > 12 * .pi / 180 }) {
            held.append(index)
        }
        let rest = Set(0..<file.measurementCount).subtracting(held).sorted()
        let (field, _) = try FilterField.prepare(file.keeping(rest), sampleRate: .cd, processing: .none)
        var distances: [Double] = []
        var delays: [Double] = []
        for index in held {
            let truth = Heard(
                file.response(index, receiver: 0), file.response(index, receiver: 1), sampleRate: 44_100)
            let played = field.heard(file.directions[index])
            distances += (0..<2).map { CriticalBands.distance(truth.bands[$0], played.bands[$0]) }
            delays.append(abs(truth.interauralDelay - played.interauralDelay) * 1e6)
        }
        let distance = distances.reduce(0, +) / Double(distances.count)
        let delay = delays.reduce(0, +) / Double(delays.count)
        #expect(held.count > 30 && distance < 0.45, "critical bands: \(distance) dB")
        #expect(delay < 2.5 && delays.sorted()[delays.count * 95 / 100] < 9, "interaural delay: \(delay) µs")
    }

    @Test func interauralDelaysSurviveProcessing() throws {
        let file = try #require(Kemar.file)
        let (field, _) = try #require(Kemar.automatic)
        for index in stride(from: 0, to: file.measurementCount, by: 37) {
            let truth = Heard(
                file.response(index, receiver: 0), file.response(index, receiver: 1), sampleRate: 44_100)
            let played = field.heard(file.directions[index])
            #expect(abs(truth.interauralDelay - played.interauralDelay) < 60e-6)
        }
    }

    @Test func theDiffuseFieldIsFlatAndAtZero() throws {
        let (field, report) = try #require(Kemar.automatic)
        #expect(report.diffuseFieldDeviation > 5)
        let grid = RingGrid(stepDegrees: 10)
        // Only above the lowest measured ring: extrapolated responses below it are not equalised to be flat.
        let pairs = zip(grid.directions(in: Head.self), grid.solidAngles).filter { $0.0.elevation > -0.72 }
        var power = [Double](repeating: 0, count: 1025)
        for (direction, weight) in pairs {
            let heard = field.heard(direction, count: 2048)
            for bin in power.indices { power[bin] += weight * (heard.power[0][bin] + heard.power[1][bin]) / 2 }
        }
        let sum = pairs.reduce(0) { $0 + $1.1 }
        let diffuse = DiffuseField(power: power.map { $0 / sum }, binHz: 44_100 / 2048)
        #expect(abs(10 * log10(diffuse.level)) < 0.5)
        let smooth = diffuse.smoothedDecibels(heldBelow: 40)
        for frequency in [50.0, 80, 125, 200, 315, 500, 800, 1250, 2000, 3150, 5000, 8000, 12_500] {
            let level = smooth[Int((frequency / diffuse.binHz).rounded())]
            #expect(abs(level) < 1, "\(frequency) Hz: \(level) dB")
        }
        #expect(field.tapCount < 450)
    }

    @Test(arguments: [48_000.0, 96_000, 192_000, 50_000.5])
    func otherRatesSoundTheSame(_ rate: Double) throws {
        let file = try #require(Kemar.file)
        let (own, _) = try #require(Kemar.automatic)
        let (plain, _) = try #require(Kemar.plain)
        let sampleRate = try #require(SampleRate(hertz: rate))
        let (field, _) = try FilterField.prepare(file, sampleRate: sampleRate)
        let directions: [Direction<Head>] = [(0, 0), (37, 21), (90, 0), (201, -33)].map {
            Direction(azimuthDegrees: $0.0, elevationDegrees: $0.1)
        }
        func gain(_ response: [Float], _ rate: Double) -> Double {
            var sum = (0.0, 0.0)
            for (i, value) in response.enumerated() {
                let turn = 2 * .pi * 1000 * Double(i) / rate
                sum.0 += Double(value) * cos(turn)
                sum.1 += Double(value) * sin(turn)
            }
            return 10 * log10(sum.0 * sum.0 + sum.1 * sum.1)
        }
        for direction in directions {
            let (a, b) = (own.responses(direction), field.responses(direction))
            #expect(abs(gain(a.left, 44_100) - gain(b.left, rate)) < 0.05)
            #expect(abs(gain(a.right, 44_100) - gain(b.right, rate)) < 0.05)
            let count = rate > 100_000 ? 4096 : 1024
            let delays = (own.heard(direction).interauralDelay, field.heard(direction, count: count).interauralDelay)
            #expect(abs(delays.0 - delays.1) < 2e-6)
        }
        guard rate == 48_000 else { return }
        let (converted, _) = try FilterField.prepare(file, sampleRate: sampleRate, processing: .none)
        for index in stride(from: 0, to: file.measurementCount, by: 101) {
            let (a, b) = (
                plain.responses(file.directions[index]), converted.responses(file.directions[index])
            )
            #expect(abs(gain(a.left, 44_100) - gain(b.left, rate)) < 0.05)
            // Stored and interpolated responses have the same onsets: a small step in azimuth changes little.
            let aside = Direction<Head>(
                azimuth: file.directions[index].azimuth + 0.006, elevation: file.directions[index].elevation)
            let c = Heard(b.left, b.right, sampleRate: rate)
            let d = converted.heard(aside)
            #expect(abs(c.onsets.left - d.onsets.left) < 15e-6)
        }
    }

    @Test(arguments: [HRTFProcessing.automatic, .none])
    func nothingStepsAnywhere(_ processing: HRTFProcessing) throws {
        let (field, _) = try #require(processing == .none ? Kemar.plain : Kemar.automatic)
        // Over the front, the wrap, the back, both poles, a seam between rings, and a measured direction.
        let starts = [
            (359.9, 0.0), (-0.1, 10), (179.9, -20), (90, 89.9), (12, -89.9), (33.3, 1.95), (44.9, 20), (5, 0),
        ]
        for (azimuth, elevation) in starts {
            var last: [Float]?
            var peak: Float = 0
            var largest: Float = 0
            for step in 0..<60 {
                let direction = Direction<Head>(
                    azimuthDegrees: azimuth + 0.01 * Double(step), elevationDegrees: elevation + 0.01 * Double(step))
                let (left, right) = field.responses(direction)
                let now = left + right
                peak = max(peak, now.map { abs($0) }.max() ?? 0)
                if let last { largest = max(largest, zip(now, last).map { abs($0 - $1) }.max() ?? 1) }
                last = now
            }
            // 0.014° moves an onset by at most 0.06 µs, 0.003 samples; spectra change by far less than 1 % over that
            // step.
            #expect(largest < 0.015 * peak, "\(azimuth), \(elevation): \(largest / peak) of the peak")
        }
    }

    @Test func theFrontArrivesWhereTheFieldSays() throws {
        let (field, _) = try #require(Kemar.automatic)
        let heard = field.heard(Direction(azimuthDegrees: 0, elevationDegrees: 0))
        let mean = (heard.onsets.left + heard.onsets.right) / 2 * 44_100
        #expect(abs(mean - field.onsetFrames) < 4)
        #expect(abs(heard.interauralDelay) < 5e-6)
    }

    @Test func theReportLeavesNothingOut() throws {
        let library = HRTFLibrary(folders: [Sources.catalogue], userDefault: AbsentPlace.path())
        let (_, report) = try FilterField.load(.automatic, sampleRate: .cd, library: library)
        let text = report.lines.joined(separator: "\n")
        for word in [
            "MIT KEMAR", "Gardner", "authors are cited", "710 directions", "equalisation", "low-frequency", "level",
            "trimmed", "-40°", "µs", "dB",
        ] {
            #expect(text.contains(word), "\(word) in\n\(text)")
        }
    }
}

/// Folders of this source tree.
enum Sources {
    static let catalogue = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("HRTF").path
}
