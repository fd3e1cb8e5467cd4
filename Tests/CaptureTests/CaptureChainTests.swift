import Capture
import Foundation
import Geometry
import SeamMeasures
import SeededRandom
import Signal
import Testing

@Suite struct CaptureChainTests {
    /// Runs periodic signals through a chain for `periods` periods, and returns the whole output.
    static func run(
        _ chain: CaptureChain, _ signals: [[Double]], periods: Int, each: (Int) throws -> Void = { _ in }
    ) throws -> (out: [[Float]], safety: [[Float]]) {
        let block = PlanarBlock(channels: signals.count, frames: 1024)
        var out = [[Float]](repeating: [], count: 6)
        var safety = out
        let period = signals[0].count
        for call in 0..<(periods * period / 1024) {
            try each(call)
            for channel in signals.indices {
                for i in 0..<1024 { block[channel][i] = Float(signals[channel][(call * 1024 + i) % period]) }
            }
            chain.process(block, frames: 1024)
            for channel in 0..<6 {
                out[channel] += (0..<1024).map { chain.output[channel][$0] }
                safety[channel] += (0..<1024).map { chain.safety[channel][$0] }
            }
        }
        return (out, safety)
    }

    static func change(
        _ chain: CaptureChain, _ orientation: InputOrientation, _ rendition: StereoRendition
    ) throws {
        let filters = try chain.design(orientation: orientation, rendition: rendition)().get()
        chain.exchange(for: filters, orientation: orientation, rendition: rendition)
    }

    @Test func `the safety track is the take 12 dB lower, without the gain, to the sample`() throws {
        var settings = CaptureChainSettings(array: try MicrophoneArray("tetrahedral"))
        settings.gain = 6
        let chain = try CaptureChain(settings, sampleRate: .studio)
        let spectrum = noiseSpectrum(frames: 8192, from: 150, to: 5000, seed: 3).map { $0 * 0.3 }
        let source = Direction<Device>(azimuthDegrees: 50, elevationDegrees: 20)
        let wave = ArraySimulator(settings.array).wave(source.unit, spectrum: spectrum, frames: 8192)
        let (out, safety) = try Self.run(chain, wave, periods: 6)
        for channel in 0..<6 {
            let (a, b) = (out[channel].suffix(16_384), safety[channel].suffix(16_384))
            let difference = zip(a, b).map { abs($0 - $1 * Float(pow(10, 18.0 / 20))) }.max() ?? 1
            #expect(difference < 1e-4)
        }
        let field = FieldMeasure(out[..<4].map { Array($0.suffix(8192)) })
        #expect(field.degrees(from: source.unit) <= 3)
        #expect(chain.faults == [])
    }

    @Test func `holding the device another way and another rendition fade in without a click`() throws {
        let settings = CaptureChainSettings(array: try MicrophoneArray("tetrahedral"))
        let chain = try CaptureChain(settings, sampleRate: .studio)
        var tone = [SIMD2<Double>](repeating: SIMD2(), count: 4096)
        tone[150] = SIMD2(600, 0)
        let source = Direction<Device>(azimuthDegrees: 70, elevationDegrees: 0)
        let wave = ArraySimulator(settings.array).wave(source.unit, spectrum: tone, frames: 8192)
        let (out, _) = try Self.run(chain, wave, periods: 10) { call in
            if call == 40 { try Self.change(chain, .landscapeLeft, .ms) }
            // In the middle of the previous crossfade.
            if call == 41 { try Self.change(chain, .upsideDown, .xy) }
        }
        for channel in 0..<6 {
            // A click has energy above 8 kHz; the output before the first change gives the reference.
            let high = HighPass.over8kHz(out[channel], 48_000).map { abs($0) }
            let still = high[20_000..<36_000].max() ?? 0
            let changing = high[40_000..<70_000].max() ?? 1
            #expect(changing <= max(2 * still, 1e-4), "channel \(channel): \(changing) against \(still)")
        }
        // Upside down, the device's left is the scene's right.
        let field = FieldMeasure(out[..<4].map { Array($0.suffix(8192)) })
        #expect(field.degrees(from: SIMD3(source.unit.x, -source.unit.y, 0)) <= 3)
    }

    @Test func `faults are told by the chain, and only those`() throws {
        let array = try MicrophoneArray("planar4")
        let chain = try CaptureChain(.init(array: array), sampleRate: .studio)
        var signals = InputFaultTests.diffuse(array, seed: 31).map { row in row.prefix(16_384).map { Double($0) } }
        signals.swapAt(0, 2)
        _ = try Self.run(chain, signals, periods: 40)
        #expect(chain.faults.count == 1)
        guard case .swapped = chain.faults.first else {
            Issue.record("\(chain.faults)")
            return
        }
        let other = try CaptureChain(.init(array: array), sampleRate: .studio)
        signals[1] = [Double](repeating: 0, count: 16_384)
        _ = try Self.run(other, signals, periods: 40)
        #expect(other.faults == [.silent("FR")])
    }
}
