import Foundation
import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

/// Errors of a decoder for plane waves from all directions, against the field it was made from.
struct PlaneWaves {
    /// RMS error over critical bands 0.5…16 kHz, mean over directions and ears, dB.
    private(set) var bandError = 0.0
    /// Mean magnitude of the error of the interaural onset difference, µs.
    private(set) var delayError = 0.0
    /// Mean magnitude of the error of the interaural delay by cross-correlation below 1.5 kHz, µs.
    private(set) var lowDelayError = 0.0
    /// Largest deviation of the diffuse field's level over critical bands 0.1…16 kHz, both ears, dB.
    private(set) var diffuseError = 0.0

    init(_ decoder: AmbisonicDecoder, _ field: FilterField) {
        let rate = field.sampleRate.hertz
        var count = 0.0
        for elevation in stride(from: -73.0, to: 90, by: 15) {
            let around = max(6, (24 * cos(elevation * .pi / 180)).rounded())
            for step in 0..<Int(around) {
                let direction = Direction<Head>(
                    azimuthDegrees: 360 * Double(step) / around + 3, elevationDegrees: elevation)
                let (left, right) = decoder.responses(direction)
                let (heard, wanted) = (Heard(left, right, sampleRate: rate), field.heard(direction))
                for ear in 0..<2 { bandError += CriticalBands.distance(heard.bands[ear], wanted.bands[ear]) / 2 }
                delayError += abs(heard.interauralDelay - wanted.interauralDelay) * 1e6
                let (setLeft, setRight) = field.responses(direction)
                lowDelayError +=
                    abs(Self.lowDelay(left, right, rate) - Self.lowDelay(setLeft, setRight, rate)) * 1e6
                count += 1
            }
        }
        bandError /= count
        delayError /= count
        lowDelayError /= count
        diffuseError = Self.diffuse(decoder, field)
    }

    /// Transforms of 1024 points, and of eight times as many.
    private static let transforms = (FourierTransform(minimumCount: 1024), FourierTransform(minimumCount: 8192))

    /// Returns the lag of the largest cross-correlation below 1.5 kHz, seconds; positive where the right ear leads.
    private static func lowDelay(_ left: [Float], _ right: [Float], _ rate: Double) -> Double {
        let (n, factor) = (1024, 8)
        var (real, imaginary) = ([Double](repeating: 0, count: n), [Double](repeating: 0, count: n))
        for i in 0..<min(n / 2, left.count) { (real[i], imaginary[i]) = (Double(left[i]), Double(right[i])) }
        Self.transforms.0.forward(&real, &imaginary)
        var ears = EarSpectra(binCount: n / 2 + 1)
        ears.separate(real, imaginary)
        let large = Self.transforms.1
        var (a, b) = ([Double](repeating: 0, count: large.count), [Double](repeating: 0, count: large.count))
        for bin in 1..<(n / 2) {
            let weight = 1 / (1 + pow(Double(bin) * rate / Double(n) / 1500, 8))
            let (lr, li, rr, ri) = (
                ears.real[0][bin], ears.imaginary[0][bin], ears.real[1][bin], ears.imaginary[1][bin]
            )
            a[bin] = weight * (lr * rr + li * ri)
            b[bin] = weight * (li * rr - lr * ri)
        }
        large.inverse(&a, &b)
        let reach = Int(0.001 * rate) * factor
        let best = (-reach...reach).max { a[$0 & (large.count - 1)] < a[$1 & (large.count - 1)] } ?? 0
        return Double(best) / Double(factor) / rate
    }

    /// Returns the largest deviation of the diffuse field's level over critical bands, both ears, dB.
    static func diffuse(_ decoder: AmbisonicDecoder, _ field: FilterField) -> Double {
        let rate = field.sampleRate.hertz
        let bins = 513
        var (ours, set) = ([[Double]](repeating: [Double](repeating: 0, count: bins), count: 2), [[Double]]())
        set = ours
        for ear in 0..<2 {
            for channel in 0..<decoder.channelCount {
                let taps = decoder.filter(ear: ear, channel: channel)
                let power = Heard(taps, taps, sampleRate: rate).power[0]
                let weight = 1 / Double(2 * SphericalHarmonics.degree(ofIndex: channel) + 1)
                for bin in 0..<bins { ours[ear][bin] += weight * power[bin] }
            }
        }
        let grid = GaussGrid(exactTo: 31)
        for (direction, weight) in zip(grid.directions(in: Head.self), grid.weights) {
            let heard = field.heard(direction)
            for ear in 0..<2 { for bin in 0..<bins { set[ear][bin] += weight * heard.power[ear][bin] } }
        }
        let bands = CriticalBands(from: 100, to: 16_000, binHz: rate / 1024, binCount: bins)
        return (0..<2).map { ear in
            zip(bands.decibels { ours[ear][$0] }, bands.decibels { set[ear][$0] }).map { abs($0 - $1) }.max() ?? 0
        }.max() ?? 0
    }
}

@Suite struct AmbisonicDecoderTests {
    static let soak = ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] == "1"
    static let folder = ProcessInfo.processInfo.environment["PROSCENIUM_DATA"]

    /// Bounds by order: error over critical bands in dB, of onsets in µs, of delays below 1.5 kHz in µs.
    static let bounds: [Int: (bands: Double, onsets: Double, low: Double)] = [
        1: (4.2, 310, 110), 3: (2.3, 250, 20), 5: (1.7, 55, 12), 7: (1.5, 35, 10),
    ]

    @Test(.enabled(if: Kemar.isHere, Kemar.absence), arguments: [1, 3, 5, 7])
    func planeWavesSoundAsTheMeasuredSetDoes(_ order: Int) throws {
        let (field, _) = try #require(Kemar.automatic)
        let found = PlaneWaves(AmbisonicDecoder(order: order, field: field), field)
        let plain = PlaneWaves(AmbisonicDecoder(order: order, field: field, method: .leastSquares), field)
        Self.show("KEMAR", order, found, plain)
        let bounds = try #require(Self.bounds[order])
        #expect(found.bandError < bounds.bands && found.bandError < 0.4 * plain.bandError)
        #expect(found.delayError < bounds.onsets)
        #expect(found.lowDelayError < bounds.low && found.lowDelayError < 1.2 * plain.lowDelayError)
        #expect(found.diffuseError < 0.5)
        #expect(plain.diffuseError > 3)
    }

    @Test(arguments: [1, 3, 5, 7]) func planeWavesSoundAsTheSphereDoes(_ order: Int) {
        let field = FilterField.sphere(sampleRate: .studio)
        let found = PlaneWaves(AmbisonicDecoder(order: order, field: field), field)
        let plain = PlaneWaves(AmbisonicDecoder(order: order, field: field, method: .leastSquares), field)
        Self.show("sphere", order, found, plain)
        #expect(found.bandError < 0.5 * plain.bandError)
        #expect(found.diffuseError < 0.8)
    }

    @Test(
        .enabled(if: soak, "the table of other sets belongs to the long form"),
        .enabled(if: folder != nil, "PROSCENIUM_DATA does not name a folder of evaluation data"),
        arguments: ["libmysofa-tests__FHK_HRIR_L2354", "libmysofa-tests__LISTEN_1002_IRC_1002_C_HRIR"])
    func theTableForOtherSets(_ name: String) throws {
        let folder = try #require(Self.folder)
        let (field, _) = try FilterField.prepare(
            FilterField.read("\(folder)/sofa/\(name).sofa"), sampleRate: .studio)
        for order in [1, 3, 5, 7] {
            let found = PlaneWaves(AmbisonicDecoder(order: order, field: field), field)
            Self.show(
                name, order, found,
                PlaneWaves(AmbisonicDecoder(order: order, field: field, method: .leastSquares), field))
            #expect(found.diffuseError < 1)
        }
    }

    @Test func filtersAreAsLongAsTheSetAsksFor() {
        #expect(AmbisonicDecoder.tapCount(for: FilterField.sphere(sampleRate: .studio)) == 192)
        #expect(AmbisonicDecoder.tapCount(for: FilterField.sphere(sampleRate: SampleRate(hertz: 96_000)!)) == 384)
    }

    @Test(.enabled(if: Kemar.isHere, Kemar.absence)) func aMeasuredSetsFiltersAreAsLongAsItAsksFor() throws {
        let plain = try #require(Kemar.plain)
        #expect(plain.0.tapCount > 288 && AmbisonicDecoder.tapCount(for: plain.0) >= 288)
        let decoder = AmbisonicDecoder(order: 3, field: plain.0)
        #expect(decoder.tapCount == AmbisonicDecoder.tapCount(for: plain.0))
        #expect(PlaneWaves(decoder, plain.0).diffuseError < 1)
    }

    /// A set without processing that has silence before its responses.
    @Test(arguments: [0, 500]) func silenceBeforeTheResponsesDoesNotCutThemOff(_ silence: Int) throws {
        let sphere = FilterField.sphere(sampleRate: .studio)
        let directions: [Direction<Head>] = RingGrid(stepDegrees: 30).directions(in: Head.self)
        let responses = directions.flatMap { direction -> [Float] in
            let (left, right) = sphere.responses(direction)
            return [left, right].flatMap { ear -> [Float] in
                let padded = [Float](repeating: 0, count: silence) + ear + [Float](repeating: 0, count: 192)
                return Array(padded.prefix(silence + 192))
            }
        }
        let (field, _) = try FilterField.prepare(
            FreeFieldHRIR(
                path: "sphere", attributes: [:], sampleRate: 48_000, sampleCount: silence + 192, directions: directions,
                distances: directions.map { _ in 1.5 }, responses: responses,
                delays: [Double](repeating: 0, count: 2 * directions.count)),
            sampleRate: .studio, processing: .none)
        let found = AmbisonicDecoder.silence(of: field)
        #expect(silence == 0 ? found == 0 : abs(found - silence) < 80, "\(found) samples")
        let decoder = AmbisonicDecoder(order: 1, field: field)
        #expect(PlaneWaves.diffuse(decoder, field) < 1)
        // The filters play in time with the field, but for the blur of order 1.
        let front = Direction<Head>(azimuthDegrees: 0, elevationDegrees: 0)
        let (left, right) = decoder.responses(front)
        let heard = Heard(left, right, sampleRate: 48_000)
        #expect(abs(heard.onsets.left - field.heard(front).onsets.left) < 500e-6)
    }

    @Test func aFrontalPlaneWaveArrivesWithTheSet() {
        let field = FilterField.sphere(sampleRate: .studio)
        let front = Direction<Head>(azimuthDegrees: 0, elevationDegrees: 0)
        for order in [4, 5, 7] {
            let (left, right) = AmbisonicDecoder(order: order, field: field).responses(front)
            let heard = Heard(left, right, sampleRate: 48_000)
            #expect(abs(heard.onsets.left - field.heard(front).onsets.left) < 60e-6)
            #expect(abs(heard.interauralDelay) < 1e-6)
        }
    }

    private static func show(_ name: String, _ order: Int, _ found: PlaneWaves, _ plain: PlaneWaves) {
        guard soak else { return }
        for (method, waves) in [("magnitudes", found), ("plain", plain)] {
            print(
                String(
                    format:
                        "ambisonics, %@, order %d, %@: bands %.2f dB, onsets %.1f µs, below 1.5 kHz %.1f µs, diffuse %.2f dB",
                    name, order, method, waves.bandError, waves.delayError, waves.lowDelayError, waves.diffuseError))
        }
    }
}
