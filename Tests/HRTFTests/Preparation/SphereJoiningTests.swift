import Geometry
import Glibc
import SOFA
import SeededRandom
import Signal
import Testing

@testable import HRTF

/// Parts of a rigid sphere in sets whose bass is noise, and in sets without interaural delays.
@Suite struct SphereJoiningTests {
    /// Returns the generated set with noise below a frequency (8th-order slope), as loud as the responses are at
    /// 300–1000 Hz, other noise in each.
    private static func noisy(below corner: Double) throws -> FreeFieldHRIR {
        var file = try FilterField.read(Sources.catalogue + "/generated.sofa")
        let transform = FourierTransform(minimumCount: 1024)
        let n = transform.count
        let binHz = file.sampleRate / Double(n)
        var random = SplitMix(state: 5)
        for row in 0..<(2 * file.measurementCount) {
            let start = row * file.sampleCount
            var real = (0..<n).map { $0 < file.sampleCount ? Double(file.responses[start + $0]) : 0 }
            var imaginary = [Double](repeating: 0, count: n)
            transform.forward(&real, &imaginary)
            let loud = Int(300 / binHz)...Int(1000 / binHz)
            let power = loud.reduce(0) { $0 + real[$1] * real[$1] + imaginary[$1] * imaginary[$1] } / Double(loud.count)
            for bin in 0..<n {
                let gain = bin == 0 || bin > n / 2 ? 0 : 2 / (1 + pow(Double(bin) * binHz / corner, 8)).squareRoot()
                let size = gain * (power * -log(1 - random.unit())).squareRoot()
                let angle = 2 * Double.pi * random.unit()
                (real[bin], imaginary[bin]) = (size * cos(angle), size * sin(angle))
            }
            transform.inverse(&real, &imaginary)
            for i in 0..<file.sampleCount { file.responses[start + i] += Float(real[i]) }
        }
        return file
    }

    /// In an earlier version the sphere was faded out over almost an octave above the noise.
    @Test func measuredBandsAboveTheNoiseStay() throws {
        let (clean, _) = try FilterField.prepare(
            try FilterField.read(Sources.catalogue + "/generated.sofa"), sampleRate: .studio)
        let file = try Self.noisy(below: 300)
        let preparation = try FieldPreparation(file, sampleRate: .studio, options: HRTFOptions())
        var copy = preparation
        let bass = try #require(copy.automaticPlan().bass)
        #expect(bass.crossover.low >= BassJudgement.narrow && bass.crossover.low < 500)
        #expect(bass.crossover.high < 1.3 * bass.crossover.low)
        let (field, _) = try FilterField.prepare(file, sampleRate: .studio)
        for frequency in [539.0, 726] {
            let differences = (0..<24).flatMap { step -> [Double] in
                let direction = Direction<Head>(azimuthDegrees: Double(step) * 15, elevationDegrees: 0)
                let (a, b) = (clean.heard(direction, count: 2048), field.heard(direction, count: 2048))
                return (0..<2).map { abs(a.level($0, at: frequency) - b.level($0, at: frequency)) }
            }
            let mean = differences.reduce(0, +) / Double(differences.count)
            #expect(mean < 1, "\(frequency) Hz: \(mean) dB")
        }
    }

    /// Without a head size, such a set has no delays; with one, it gets those of the sphere. In an earlier version the
    /// size was refused.
    @Test func aSetWithoutDelaysTakesASpheresOrNone() throws {
        var file = try FilterField.read(Sources.catalogue + "/generated.sofa")
        let old = file.responses
        let alignment = Alignment(try MeasuredSet(file))
        for row in 0..<(2 * file.measurementCount) {
            let shift = Int((alignment.onsets[row] - file.delays[row]).rounded()) - 30
            for i in 0..<file.sampleCount {
                let place = i + shift
                file.responses[row * file.sampleCount + i] =
                    (0..<file.sampleCount).contains(place) ? old[row * file.sampleCount + place] : 0
            }
        }
        file.delays = [Double](repeating: 0, count: file.delays.count)
        let side = Direction<Head>(azimuthDegrees: 90, elevationDegrees: 0)
        let (none, report) = try FilterField.prepare(file, sampleRate: .studio)
        #expect(report.remarks.contains { $0.contains("none are added") }, "\(report.remarks)")
        #expect(abs(none.heard(side).interauralDelay) < 60e-6)
        var options = HRTFOptions()
        options.headCircumference = 57
        let (whole, other) = try FilterField.prepare(file, sampleRate: .studio, options: options)
        #expect(other.processing.contains { $0.contains("those of a sphere of 88.6 mm") }, "\(other.processing)")
        #expect(abs(whole.heard(side).interauralDelay + 620e-6) < 80e-6, "\(whole.heard(side).interauralDelay)")
    }
}
