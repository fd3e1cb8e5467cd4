import Convolution
import Geometry
import Glibc
import SeededRandom
import Signal
import Testing

@testable import HRTF

@Suite struct PartDesignTests {
    private static let rate = 48_000.0
    private static let taps = 400
    private static let design = PartDesign(
        wideTaps: 96, taps: taps, power: [Double](repeating: 1, count: 513), sampleRate: rate)

    /// Returns noise that decays by 60 dB within the response.
    private static func response(_ seed: UInt64) -> [Double] {
        var random = SplitMix(state: seed)
        return (0..<1024).map { i in
            i < taps ? Double.random(in: -1...1, using: &random) * pow(10, -3 * Double(i) / Double(taps)) : 0
        }
    }

    private static func decibels(_ part: some Sequence<Double>, re whole: some Sequence<Double>) -> Double {
        10 * log10(part.reduce(0) { $0 + $1 * $1 } / whole.reduce(0) { $0 + $1 * $1 })
    }

    @Test func whatIsDividedStaysNearlyAsItIsWhenItIsDividedAgain() {
        for seed in 1...8 as ClosedRange<UInt64> {
            var once = Self.response(seed)
            Self.design.reduce(&once)
            var twice = once
            Self.design.reduce(&twice)
            let difference = zip(once, twice).map { $0 - $1 }
            #expect(Self.decibels(difference, re: once) < -35)
        }
    }

    @Test func theLowPartHoldsLowFrequenciesAlone() {
        let rows = (1...4).flatMap { Self.response($0).prefix(Self.taps).map(Float.init) }
        let (wide, low) = Self.design.divide(rows)
        let transform = FourierTransform(minimumCount: 4096)
        for row in 0..<4 {
            let count = Self.design.low.count
            var real = [Double](repeating: 0, count: 4096)
            var imaginary = real
            for i in 0..<count { real[i] = Double(low[row * count + i]) }
            let whole = real + wide[(row * 96)..<((row + 1) * 96)].map(Double.init)
            transform.forward(&real, &imaginary)
            let first = Int(PartDesign.limit / Self.rate * 4096) + 1
            var high = 0.0
            for bin in first...2048 { high += 2 / 4096 * (real[bin] * real[bin] + imaginary[bin] * imaginary[bin]) }
            let energy = whole.reduce(0) { $0 + $1 * $1 }
            #expect(10 * log10(high / energy) < -80)
        }
    }

    @Test(arguments: [64, 128]) func partsOfAFilterLeaveNothingOutsideTheirTaps(_ slice: Int) throws {
        let (field, _) = try FilterField.load(HRTFSelection("generated"), sampleRate: .studio)
        let form = field.form(slice: slice)
        #expect(!form.lowOffsets.isEmpty && form.length < FilterForm(slice: slice, tapCount: field.tapCount).length)
        let played = SpectralField(field, form: form)
        // One transform that holds the whole response.
        let whole = SpectralField(field, form: FilterForm(slice: slice, tapCount: field.tapCount))
        for (azimuth, elevation) in [(0.0, 0.0), (80, 0), (200, 30), (310, -35)] {
            let direction = Direction<Head>(azimuthDegrees: azimuth, elevationDegrees: elevation)
            let (a, b) = (played.responses(direction), whole.responses(direction))
            let difference = zip(a.left + a.right, b.left + b.right).map { Double($0 - $1) }
            let error = Self.decibels(difference, re: (b.left + b.right).map(Double.init))
            #expect(error < -90, "\(azimuth)°, \(elevation)°: \(error) dB")
        }
    }

    /// With this room, interaural delays at left-out directions have errors of 1.7 µs; with 16 samples, of 2.0 µs.
    @Test(.enabled(if: Kemar.isHere, Kemar.absence)) func onsetsHaveRoomWhereItCostsNothing() throws {
        var preparation = try FieldPreparation(try #require(Kemar.file), sampleRate: .cd, options: HRTFOptions())
        let plan = preparation.automaticPlan()
        #expect(plan.onset == 22 && plan.parts?.wideTaps == 92, "\(plan.onset), \(plan.parts?.wideTaps ?? 0)")
    }
}
