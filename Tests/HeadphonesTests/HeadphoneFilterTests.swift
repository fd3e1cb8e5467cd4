import Foundation
import Headphones
import Signal
import Testing

@Suite("Filters for headphones")
struct HeadphoneFilterTests {
    /// The analogue prototype of the cookbook at a normalised frequency, through the bilinear transform: the formula
    /// from which the design's coefficients are derived, evaluated directly.
    private func formula(_ filter: EqualiserFilter, at hertz: Double, rate: Double) -> Double {
        let middle = 2 * Double.pi * min(middle(filter), 0.49 * rate) / rate
        let s = tan(Double.pi * hertz / rate) / tan(middle / 2)
        let amplitude = pow(10, filter.gain / 40)
        let quality: Double
        switch filter.width {
        case .quality(let value): quality = value
        case .octaves(let octaves): quality = 1 / (2 * sinh(log(2) / 2 * octaves * middle / sin(middle)))
        case .slope(let slope): quality = 1 / ((amplitude + 1 / amplitude) * (1 / slope - 1) + 2).squareRoot()
        }
        // Values of polynomials c₀ + c₁·(is) + c₂·(is)²: |real + i·imaginary|².
        func power(_ c0: Double, _ c1: Double, _ c2: Double) -> Double {
            pow(c0 - c2 * s * s, 2) + pow(c1 * s, 2)
        }
        let root = amplitude.squareRoot()
        let ratio =
            switch filter.kind {
            case .peak: power(1, amplitude / quality, 1) / power(1, 1 / (amplitude * quality), 1)
            case .lowShelf:
                amplitude * amplitude * power(amplitude, root / quality, 1) / power(1, root / quality, amplitude)
            case .highShelf:
                amplitude * amplitude * power(1, root / quality, amplitude) / power(amplitude, root / quality, 1)
            case .lowPass: power(1, 0, 0) / power(1, 1 / quality, 1)
            case .highPass: power(0, 0, 1) / power(1, 1 / quality, 1)
            case .bandPass: power(0, 1 / quality, 0) / power(1, 1 / quality, 1)
            case .notch: power(1, 0, 1) / power(1, 1 / quality, 1)
            case .allPass: 1.0
            }
        return 10 * log10(ratio)
    }

    /// Returns the centre frequency of a filter, hertz; for a shelf with a corner frequency as Equalizer APO computes
    /// it.
    private func middle(_ filter: EqualiserFilter) -> Double {
        guard filter.isCorner, case .slope(let slope) = filter.width else { return filter.hertz }
        let shift = pow(10, abs(filter.gain) / 80 / slope)
        return filter.kind == .lowShelf ? filter.hertz * shift : filter.hertz / shift
    }

    /// Some filters of each kind.
    static let filters: [EqualiserFilter] = EqualiserFilter.Kind.allCases.flatMap { kind in
        [(25.0, 6.0, 0.7), (105, -12, 1.41), (2066, 0.9, 4), (9000, -7, 0.3), (19_500, 12, 2), (40_000, 5, 1)].flatMap {
            [
                EqualiserFilter(kind, hertz: $0.0, gain: $0.1, width: .quality($0.2)),
                kind.isShelf
                    ? EqualiserFilter(kind, hertz: $0.0, gain: $0.1, width: .slope(0.5), isCorner: true)
                    : EqualiserFilter(kind, hertz: $0.0, gain: $0.1, width: .octaves($0.2)),
            ]
        }
    }

    @Test("Each filter is its formula within 0.05 dB at any rate", arguments: [44_100.0, 48_000, 96_000, 192_000])
    func formulas(_ hertz: Double) throws {
        let rate = try #require(SampleRate(hertz: hertz))
        var worst = 0.0
        for filter in Self.filters {
            let equaliser = HeadphoneEqualiser(name: "", origin: .parametric, filters: [filter])
            let made = HeadphoneFilter(equaliser, sampleRate: rate)
            #expect(made.ears[0].sections.allSatisfy { $0.isStable })
            for step in 0...300 {
                let place = 10 * pow(0.499 * hertz / 10, Double(step) / 300)
                let wanted = formula(filter, at: place, rate: hertz)
                // Levels below −100 dB count as silence.
                guard wanted > -100 else { continue }
                worst = max(worst, abs(made.decibels(ear: 0, at: place) - wanted))
            }
        }
        print("parametric against its formula at \(hertz) Hz: \(worst) dB")
        #expect(worst < 0.05)
    }

    @Test("The boost after the preamp is told, and where it is")
    func boost() throws {
        let text = try EqualiserText(
            "Preamp: -4 dB\nFilter: ON PK Fc 3000 Hz Gain 6 dB Q 2\nChannel: R\nPreamp: 1 dB", name: "")
        let filter = HeadphoneFilter(try plain(text), sampleRate: .studio)
        #expect(abs(filter.boost.decibels - 3) < 0.01 && abs(filter.boost.hertz - 3000) < 30)
        #expect(abs(filter.decibels(ear: 0, at: 3000) - 2) < 0.01)
    }

    @Test("A curve is followed by a response of minimum phase, at any rate", arguments: [44_100.0, 48_000, 96_000])
    func graphic(_ hertz: Double) throws {
        let rate = try #require(SampleRate(hertz: hertz))
        let text = try EqualiserText(
            "GraphicEQ: 20 -3; 40 2; 100 5; 300 0; 1000 -1; 2000 -6; 3000 2; 5000 4; 8000 -8; 12000 3; 19871 -3.1",
            name: "")
        let filter = HeadphoneFilter(try plain(text), sampleRate: rate)
        let curve = try #require(text.graphics.first?.curve)
        var worst = (low: 0.0, high: 0.0)
        for step in 0...240 {
            let place = 20 * pow(1000, Double(step) / 240)
            let error = abs(filter.decibels(ear: 1, at: place) - curve.value(at: place))
            if place < 60 { worst.low = max(worst.low, error) } else { worst.high = max(worst.high, error) }
        }
        print("GraphicEQ at \(hertz) Hz: \(worst.low) dB below 60 Hz, \(worst.high) dB above")
        #expect(worst.high < 0.1 && worst.low < 0.5)
        // Minimum phase: most of the energy comes at once.
        let taps = filter.ears[0].taps
        let energy = taps.reduce(0) { $0 + $1 * $1 }
        #expect(taps.prefix(Int(0.001 * hertz)).reduce(0) { $0 + $1 * $1 } > 0.9 * energy)
        #expect(taps.count <= HeadphoneFilter.tapCount(at: rate))
    }

    @Test("A linear-phase response is played at minimum phase with the same magnitude, and that is said")
    func linearPhase() throws {
        // A windowed sinc: a low pass at 3 kHz, 512 samples late.
        let taps = (0...1024).map { i -> Float in
            let t = Double(i - 512)
            let window = 0.42 + 0.5 * cos(.pi * t / 512) + 0.08 * cos(2 * .pi * t / 512)
            return Float((t == 0 ? 0.125 : sin(.pi * 0.125 * t) / (.pi * t)) * window)
        }
        let impulse = try HeadphoneImpulse([taps], sampleRate: 48_000, name: "low.wav")
        #expect(impulse.remarks.count == 1 && impulse.remarks[0].contains("linear phase, its peak 512 samples late"))
        for hertz in [44_100.0, 48_000, 96_000] {
            let rate = try #require(SampleRate(hertz: hertz))
            let filter = HeadphoneFilter(HeadphoneEqualiser(impulse, name: "low.wav"), sampleRate: rate)
            #expect(abs(filter.decibels(ear: 0, at: 1000)) < 0.05)
            #expect(abs(filter.decibels(ear: 1, at: 3000) + 6.02) < 0.1)
            #expect(filter.decibels(ear: 1, at: 6000) < -60)
        }
    }

    @Test("A response of minimum phase is played as it is, for each ear its own")
    func convolution() throws {
        let rows: [[Float]] = [[1, 0.5, 0.25], [0.5, -0.2]].map { $0 + [Float](repeating: 0, count: 100 - $0.count) }
        let impulse = try HeadphoneImpulse(rows, sampleRate: 48_000, name: "")
        #expect(impulse.remarks.isEmpty)
        let filter = HeadphoneFilter(HeadphoneEqualiser(impulse, name: ""), sampleRate: .studio)
        for ear in 0..<2 {
            for (tap, wanted) in zip(filter.ears[ear].taps, rows[ear]) { #expect(abs(tap - wanted) < 1e-5) }
        }
    }

    @Test("Responses that cannot be played are refused with the reason")
    func badResponses() {
        func reason(_ rows: [[Float]]) -> String {
            do throws(HeadphonesError) {
                _ = try HeadphoneImpulse(rows, sampleRate: 48_000, name: "x.wav")
                return ""
            } catch { return error.description }
        }
        #expect(reason([[1], [1], [1], [1]]).contains("has 4 channels"))
        #expect(reason([[0, 0, 0]]).contains("silence"))
        #expect(reason([[1, .nan]]).contains("no finite numbers"))
        #expect(reason([[]]).contains("has 0 samples"))
        #expect(reason([[Float](repeating: 1, count: HeadphoneImpulse.mostSamples + 1)]).contains("131073 samples"))
    }

    @Test("What pink noise gains in loudness is what weighted noise through the filter gains")
    func loudness() throws {
        let level = HeadphoneEqualiser(name: "", origin: .parametric, preamp: [-6, -6])
        let even = HeadphoneFilter(level, sampleRate: .studio)
        #expect(abs(even.loudness + 6) < 1e-9)
        let text = try EqualiserText("Filter: ON HSC Fc 500 Hz Gain 8 dB Q 0.7", name: "")
        let bright = HeadphoneFilter(try plain(text), sampleRate: .studio)
        #expect(bright.loudness > 5 && bright.loudness < 8)
    }

    /// A text that names no files.
    private func plain(_ text: EqualiserText) throws(HeadphonesError) -> HeadphoneEqualiser {
        try HeadphoneEqualiser(text, name: "") { response throws(HeadphonesError) in
            throw .unreadable(response.path, "is not there")
        }
    }
}
