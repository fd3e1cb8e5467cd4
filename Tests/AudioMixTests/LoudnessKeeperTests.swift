import SeededRandom
import Signal
import Testing

@testable import AudioMix

/// Tests of the loudness keeper without a mixer.
@Suite struct LoudnessKeeperTests {
    /// Feeds hops of noise with words. The style lowers words by a tenth, and the noise between them by nine tenths.
    private func feed(
        _ keeper: inout LoudnessKeeper, hops: Range<Int>, at intensity: (Int) -> Float,
        each: (inout LoudnessKeeper, Int) -> Void
    ) {
        let rows = UnsafeRows(8, 240)
        for hop in hops {
            var random = SplitMix(state: UInt64(hop))
            let level: Float = hop % 200 < 60 ? 0.2 : 0.004
            for i in 0..<240 {
                for c in 0..<4 {
                    let x = level * Float(random.unit() - 0.5)
                    rows[c][i] = x
                    // Words lose a tenth of their amplitude, the sound between them nine tenths.
                    rows[4 + c][i] = hop % 200 < 60 ? -0.1 * x : -0.9 * x
                }
            }
            let inputs = UnsafeRawPointer(rows.inputs).assumingMemoryBound(to: UnsafePointer<Float>?.self)
            keeper.hear(inputs, rows.outputs(4), frames: 240, at: intensity(hop))
            each(&keeper, hop)
        }
    }

    /// The final gain, with the limit by the current sound, does not depend on how often or when the gain was read.
    @Test(arguments: [450, 461, 655, 700]) func theGainIsTheSameWhoeverAskedBefore(_ hops: Int) {
        var asked = LoudnessKeeper(sampleRate: 48_000, hop: 240), silent = LoudnessKeeper(sampleRate: 48_000, hop: 240)
        let intensity: (Int) -> Float = { $0 < 300 ? 0.3 : 0.9 }
        feed(&asked, hops: 0..<hops, at: intensity) { keeper, hop in _ = keeper.gain(intensity(hop)) }
        feed(&silent, hops: 0..<hops, at: intensity) { _, _ in }
        let (one, other) = (asked.gain(0.9), silent.gain(0.9))
        #expect(one == other)
        #expect(one > 1)
    }

    /// A cached gain equals a gain computed anew: a different intensity in between changes nothing.
    @Test func anotherIntensityInBetweenChangesNothing() {
        var keeper = LoudnessKeeper(sampleRate: 48_000, hop: 240)
        feed(&keeper, hops: 0..<640, at: { _ in 1 }) { keeper, _ in
            let first = keeper.gain(1)
            let half = keeper.gain(0.5)
            #expect(keeper.gain(1) == first)
            #expect(keeper.gain(0.5) == half)
        }
        #expect(keeper.gain(0) == 1)
        #expect(keeper.gain(1) > keeper.gain(0.5))
        let before = keeper.gain(1)
        keeper.begin()
        #expect(keeper.gain(1) != before)
    }
}
