import Foundation
import Signal
import SoundFixtures
import Testing

@testable import AudioIO

/// Samples rounded to integers, with each dither.
@Suite struct QuantiserTests {
    private static let frames = 96_000

    /// Returns the quantisation error and the sine, in steps, for a sine of 997 Hz.
    private func error(_ dither: Dither, amplitude: Double, bits: Int = 16) -> (error: [Double], sound: [Double]) {
        var quantiser = Quantiser(dither, bits: bits, channels: 1)
        let steps = exp2(Double(bits - 1))
        let sound = (0..<Self.frames).map { amplitude * sin(2 * .pi * 997 * Double($0) / 48_000) }
        var samples = sound.map { Float($0 / steps) }
        samples.withUnsafeMutableBufferPointer { quantiser.apply($0.baseAddress!, frames: Self.frames) }
        return (zip(samples, sound).map { Double($0) * steps - $1 }, sound)
    }

    private func power(_ x: [Double]) -> Double { x.reduce(0) { $0 + $1 * $1 } / Double(x.count) }

    /// Returns the power of x at a frequency, by one DFT bin over all of x.
    private func power(_ x: [Double], hertz: Double) -> Double {
        var (a, b) = (0.0, 0.0)
        for (i, value) in x.enumerated() {
            a += value * cos(2 * .pi * hertz * Double(i) / 48_000)
            b += value * sin(2 * .pi * hertz * Double(i) / 48_000)
        }
        return 2 * (a * a + b * b) / Double(x.count * x.count)
    }

    @Test func everyStepIsAWholeNumberWithinTheFile() {
        for dither in Dither.allCases {
            var quantiser = Quantiser(dither, bits: 16, channels: 2)
            var samples = (0..<20_000).map { Float(sin(Double($0))) * 1.2 }
            samples.withUnsafeMutableBufferPointer { quantiser.apply($0.baseAddress!, frames: 10_000) }
            #expect(samples.allSatisfy { ($0 * 32_768).rounded() == $0 * 32_768 })
            #expect(samples.allSatisfy { (-1...Float(32_767) / 32_768).contains($0) })
        }
    }

    @Test func withoutDitherTheNearestStepIsTakenAndWhatIsOneStays() {
        var quantiser = Quantiser(.none, bits: 24, channels: 1)
        var samples: [Float] = [0.25, -0.5, 3.4 / 8_388_608, 3.6 / 8_388_608, -3.6 / 8_388_608]
        samples.withUnsafeMutableBufferPointer { quantiser.apply($0.baseAddress!, frames: 5) }
        let wanted: [Float] = [0.25, -0.5, 3 / 8_388_608, 4 / 8_388_608, -4 / 8_388_608]
        #expect(samples == wanted)
    }

    /// Theory: rounding gives a power of 1/12 of a step squared and the dither twice that, for any sound, without
    /// distortion.
    @Test(arguments: [0.4, 1.7, 300])
    func triangularDitherMakesNoiseOfTheSound(_ amplitude: Double) {
        let (error, _) = error(.tpdf, amplitude: amplitude)
        #expect(abs(10 * log10(power(error) * 4)) < 0.1)
        for harmonic in [2.0, 3, 4, 5] { #expect(power(error, hertz: 997 * harmonic) < 1e-4) }
        #expect(power(error, hertz: 997) < 1e-4)
        // Without dither the faint sine vanishes or becomes a square wave.
        if amplitude == 0.4 {
            let plain = self.error(.none, amplitude: amplitude).error
            #expect(power(plain, hertz: 997) > 0.07)
        }
    }

    /// The noise spectrum is shaped by |1 − Σ c·z⁻ᵏ|²: less where the ear is most sensitive, more above 12 kHz.
    @Test func shapedDitherMovesTheNoise() {
        let (error, _) = error(.shaped, amplitude: 1.7)
        func level(_ band: ClosedRange<Double>) -> Double {
            let bins = stride(from: band.lowerBound, through: band.upperBound, by: 40.25)
            let found = bins.map { power(error, hertz: $0) * Double(Self.frames) / 2 }
            return 10 * log10(found.reduce(0, +) / Double(found.count) * 4)
        }
        #expect(level(2500...4500) < -15)
        #expect(level(100...1500) < -8)
        #expect(level(14_000...20_000) > 8)
        #expect(power(error, hertz: 997) < 1e-4)
    }

    @Test(arguments: [SampleEncoding.pcm16, .pcm24])
    func aFileOfWholeNumbersKeepsThem(_ encoding: SampleEncoding) throws {
        let folder = try Scratch()
        let steps: Float = encoding == .pcm16 ? 32_768 : 8_388_608
        let block = PlanarBlock(channels: 1, frames: 6000)
        for i in 0..<6000 { block[0][i] = Float((i * 7919) % 60_000 - 30_000) / 32_768 }
        let writer = try SoundFileWriter(path: folder("x.wav"), channels: 1, sampleRate: .studio, encoding: encoding)
        try writer.write(block, frames: 6000)
        try writer.finish()
        let read = try WholeSound.read(folder("x.wav"))
        for i in 0..<6000 { #expect(read[0][i] == block[0][i]) }
        let other = try SoundFileWriter(
            path: folder("y.wav"), channels: 1, sampleRate: .studio, encoding: encoding, dither: .tpdf)
        for i in 0..<6000 { block[0][i] = 0.3 / steps }
        try other.write(block, frames: 6000)
        try other.finish()
        let noise = try WholeSound.read(folder("y.wav"))[0].map { Double($0 * steps) }
        #expect(Set(noise) == [-1, 0, 1])
        #expect(abs(noise.reduce(0, +) / 6000 - 0.3) < 0.05)
    }
}
