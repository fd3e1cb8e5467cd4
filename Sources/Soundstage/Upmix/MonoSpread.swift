import Signal

/// Decorrelates a mono channel into two channels, so that it has no definite direction. Each output is the input
/// through all-passes, with the gain √½.
///
/// Both outputs together have the input's power. Their coherence is low, and neither is coloured. The initialiser
/// allocates, so it is not for the audio thread.
package struct MonoSpread: ~Copyable {
    private let copies: DecorrelatorBank

    /// Makes a spread at rest.
    package init(sampleRate: SampleRate) { copies = DecorrelatorBank(count: 2, sampleRate: sampleRate) }

    /// Clears all state.
    @_noLocks
    package func reset() { copies.reset() }

    /// Spreads the channel in `left` to `left` and `right`. Suitable for the audio thread. Cost: about 4 ns per frame.
    @_noLocks
    package func process(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) {
        Samples.scale(left, by: UpmixProducts.root, count: frames)
        Samples.copy(left, to: right, count: frames)
        copies.process(0, left, frames: frames)
        copies.process(1, right, frames: frames)
    }
}
