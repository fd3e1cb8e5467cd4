import Foundation
import Testing

@testable import Soundstage

@Suite struct RenditionFadeTests {
    @Test(arguments: [Float(0), 0.3, 1]) func theFadeKeepsThePowerOfSignalsSoCorrelated(_ r: Float) {
        var fade = RenditionFade(length: 720)
        fade.aim(stereo: true, correlation: r)
        for i in stride(from: 0, through: 720, by: 40) {
            let (a, b) = fade.gains(ahead: i)
            #expect(abs(a * a + b * b + 2 * r * a * b - 1) < 1e-5)
        }
        #expect(fade.gains(ahead: 0) == (1, 0))
        #expect(fade.gains(ahead: 720) == (0, 1))
    }

    @Test func equalSoundsAddUpToOne() {
        var fade = RenditionFade(length: 100)
        fade.aim(stereo: true, correlation: 1)
        for i in 0...100 {
            let (a, b) = fade.gains(ahead: i)
            #expect(abs(a + b - 1) < 1e-6)
        }
    }

    @Test func halfAFrameBetweenEqualSoundsCostsLittle() {
        var fade = RenditionFade(length: 720)
        fade.aim(stereo: true, correlation: 1)
        // White noise above 8 kHz and a copy half a frame later: loss, dB, over the middle 2 ms and the whole fade.
        func loss(_ frames: Range<Int>) -> Double {
            var (sum, count) = (0.0, 0.0)
            for i in frames {
                let gains = fade.gains(ahead: i)
                let (a, b) = (Double(gains.multichannel), Double(gains.stereo))
                for hertz in stride(from: 8000.0, to: 24_000, by: 250) {
                    sum += a * a + b * b + 2 * a * b * cos(.pi * hertz / 48_000)
                    count += 1
                }
            }
            return 10 * log10(sum / count)
        }
        #expect(abs(loss(312..<408) + 1.3) < 0.1)
        #expect(abs(loss(0..<720) + 0.6) < 0.1)
    }

    @Test func `A passage that turns back does not jump, and takes as long as it had lasted`() {
        var fade = RenditionFade(length: 100)
        fade.aim(stereo: true, correlation: 0)
        fade.advance(37)
        let before = fade.gains(ahead: 0)
        fade.aim(stereo: false, correlation: 1)
        #expect(fade.gains(ahead: 0) == before)
        fade.advance(36)
        #expect(!fade.rests)
        fade.advance(1)
        #expect(fade.rests)
        #expect(fade.gains(ahead: 0) == (1, 0))
    }
}
