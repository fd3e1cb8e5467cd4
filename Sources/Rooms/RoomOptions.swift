import Signal

/// What a listener can choose about a room.
package struct RoomOptions: Hashable, Sendable {
    /// Seconds from the start that follow the head.
    package var early: Double
    /// Whether all sources share one tail.
    package var isTailShared: Bool
    /// Gain of reflections and tail against the direct sound.
    package var level: Decibels

    /// All choices; 80 ms is where the ear begins to hear reverberance in place of single reflections.
    package init(early: Double = 0.08, isTailShared: Bool = false, level: Decibels = Decibels(0)) {
        self.early = early
        self.isTailShared = isTailShared
        self.level = level
    }

    /// The early part in samples of a rate: a multiple of 16, ≥ 16.
    func earlyTaps(_ sampleRate: SampleRate) -> Int { max(1, Int((early * sampleRate.hertz / 16).rounded(.up))) * 16 }
}
