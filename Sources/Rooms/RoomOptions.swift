import Signal

/// Settings of a room that a listener can choose.
package struct RoomOptions: Hashable, Sendable {
    /// Length of the early part, which follows the head, seconds.
    package var early: Double
    /// Whether all sources share one tail.
    package var isTailShared: Bool
    /// Gain of reflections and tail relative to the direct sound.
    package var level: Decibels

    /// Makes options. The default early part ends at 80 ms: later sound is perceived as reverberance, not as
    /// reflections.
    package init(early: Double = 0.08, isTailShared: Bool = false, level: Decibels = Decibels(0)) {
        self.early = early
        self.isTailShared = isTailShared
        self.level = level
    }

    /// Returns the length of the early part in samples at a rate: a multiple of 16, ≥ 16.
    func earlyTaps(_ sampleRate: SampleRate) -> Int { max(1, Int((early * sampleRate.hertz / 16).rounded(.up))) * 16 }
}
