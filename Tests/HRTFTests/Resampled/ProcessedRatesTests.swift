import Foundation
import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

/// Responses at another rate equal those at the set's own rate: the preparation runs at the set's rate, the conversion
/// last.
@Suite struct ProcessedRatesTests {
    static let directions: [Direction<Head>] = [(0, 0), (37.3, 21.1), (90.7, 1.3), (201.2, -33.3), (301.1, 57.7)].map {
        Direction(azimuthDegrees: $0.0, elevationDegrees: $0.1)
    }

    /// Returns the spectrum at `frequencies` of a response whose first sample is `early` seconds before time 0.
    private func spectrum(_ response: [Float], _ rate: Double, early: Double, _ frequencies: [Double])
        -> [SIMD2<Double>]
    {
        frequencies.map { frequency in
            let step = 2 * Double.pi * frequency / rate
            var sum = SIMD2<Double>.zero
            for (i, value) in response.enumerated() {
                let angle = step * (Double(i) - early * rate)
                sum += Double(value) * SIMD2(cos(angle), -sin(angle))
            }
            return sum
        }
    }

    /// Returns two values in dB. `error` is the largest difference below 0.45 of the lower rate, relative to the
    /// response's energy there. `images` is the highest level from half the lower rate on (from 0.55 of it with
    /// processing), relative to the highest level below.
    private func difference(_ file: FreeFieldHRIR, _ processing: HRTFProcessing, _ rate: Double) throws
        -> (error: Double, images: Double)
    {
        let own = try #require(SampleRate(hertz: file.sampleRate))
        let (there, told) = try FilterField.prepare(file, sampleRate: own, processing: processing)
        let (here, said) = try FilterField.prepare(
            file, sampleRate: try #require(SampleRate(hertz: rate)), processing: processing)
        let lower = min(rate, own.hertz)
        let heard = Array(stride(from: 50.0, to: 0.45 * lower, by: 100))
        let beyond = Array(stride(from: (processing == .none ? 0.5 : 0.55) * lower, to: 0.5 * rate, by: 200))
        var (error, images) = (-Double.infinity, -Double.infinity)
        for direction in Self.directions {
            let (a, b) = (there.responses(direction), here.responses(direction))
            for (wanted, got) in [(a.left, b.left), (a.right, b.right)] {
                let x = spectrum(wanted, own.hertz, early: -told.commonDelayRemoved, heard)
                let y = spectrum(got, rate, early: -said.commonDelayRemoved, heard)
                let squares = zip(x, y).map { (($0 - $1) * ($0 - $1)).sum() }
                let energy = x.reduce(0) { $0 + ($1 * $1).sum() }
                error = max(error, 10 * log10(squares.reduce(0, +) / energy))
                let highest = x.map { ($0 * $0).sum() }.max() ?? 0
                for value in spectrum(got, rate, early: 0, beyond) {
                    images = max(images, 10 * log10((value * value).sum() / highest))
                }
            }
        }
        return (error, images)
    }

    @Test(arguments: [44_100.0, 96_000])
    func theGeneratedHeadPlaysTheSame(_ rate: Double) throws {
        let difference = try difference(
            FilterField.read(Sources.catalogue + "/generated.sofa"), .automatic, rate)
        #expect(difference.error < -90 && difference.images < -95, "\(difference)")
    }

    @Test(.enabled(if: Kemar.isHere, Kemar.absence), arguments: HRTFProcessing.allCases, [48_000.0, 96_000])
    func kemarPlaysTheSame(_ processing: HRTFProcessing, _ rate: Double) throws {
        let difference = try difference(try #require(Kemar.file), processing, rate)
        #expect(difference.error < -90 && difference.images < -97, "\(difference)")
    }

    @Test func fractionsOfStoredDelaysArePlayedExactly() throws {
        var file = try FilterField.read(Sources.catalogue + "/generated.sofa")
        for row in file.delays.indices { file.delays[row] += Double(row * 7919 % 1000) / 1000 }
        let (field, report) = try FilterField.prepare(file, sampleRate: .studio, processing: .none)
        let heard = Array(stride(from: 100.0, to: 16_000, by: 100))
        for index in stride(from: 0, to: file.measurementCount, by: 97) {
            let (left, right) = field.responses(file.directions[index])
            for (ear, played) in [left, right].enumerated() {
                let early = -report.commonDelayRemoved
                let got = spectrum(played, 48_000, early: early, heard)
                let wanted = spectrum(
                    Array(file.response(index, receiver: ear)), 48_000,
                    early: -file.delays[2 * index + ear] / 48_000, heard)
                let error = zip(got, wanted).reduce(0) { $0 + (($1.0 - $1.1) * ($1.0 - $1.1)).sum() }
                let energy = wanted.reduce(0) { $0 + ($1 * $1).sum() }
                #expect(error < 1e-9 * energy, "\(index), ear \(ear): \(10 * log10(error / energy)) dB")
            }
        }
    }

    @Test func whatIsConvertedManyAtATimeIsWhatIsConvertedOneByOne() {
        let conversion = ResponseConversion(from: 44_100, to: 48_000)
        let rows = (0..<(70 * 50)).map { Float(sin(Double($0 * $0 % 977))) }
        let all = conversion.convert(rows, taps: 50, start: -90, length: 240)
        let each = conversion.convert(rows, taps: 50, lead: { _ in 90 }, length: 240)
        #expect(zip(all, each).allSatisfy { abs($0 - $1) < 2e-6 })
    }

    @Test func endsGoAtACost() {
        // Energies of 1 in the middle, 10⁻⁶ one sample before it, and 10⁻¹² in the first sample.
        var row = [Float](repeating: 0, count: 32)
        (row[16], row[15], row[0]) = (1, 1e-3, 1e-6)
        #expect(ResponseConversion.ends(row, taps: 32, costing: -100) == (15, 15))
        #expect(ResponseConversion.ends(row, taps: 32, costing: -50) == (16, 15))
        #expect(ResponseConversion.ends(row, taps: 32, costing: -130) == (0, 15))
    }

    @Test func softEndsNeedLittleOfTheInterpolator() {
        let hard = (0..<64).map { _ in Float(1) }
        let (all, least) = (
            DelayMargins(hard, taps: 64),
            DelayMargins(
                (0..<64).map { Float(exp(-pow((Double($0) - 31.5) / 4, 2))) }, taps: 64)
        )
        #expect(all.lead >= 29 && all.tail >= 30)
        #expect(least.lead <= 2 && least.tail <= 2)
    }
}
