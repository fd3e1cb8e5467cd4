import Signal

/// Makes a stereo programme without a direction from a mono channel: two all-pass copies of the channel, each at √½.
///
/// Together they have the channel's power. Their coherence is low, and neither is coloured. Made off the audio thread.
package struct MonoSpread: ~Copyable {
    private let copies: DecorrelatorBank

    /// Makes a spread at rest.
    package init(sampleRate: SampleRate) { copies = DecorrelatorBank(count: 2, sampleRate: sampleRate) }

    /// Spreads the channel in `left` to `left` and `right`. Audio thread. Cost: about 4 ns per frame.
    @_noLocks
    package func process(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) {
        Samples.scale(left, by: UpmixProducts.root, count: frames)
        Samples.copy(left, to: right, count: frames)
        copies.process(0, left, frames: frames)
        copies.process(1, right, frames: frames)
    }
}
