/// How the stereo rendition of a programme is upmixed.
package struct UpmixPlan: Hashable, Sendable {
    /// The law kept.
    package var mode: UpmixMode
    /// How far it may look ahead.
    package var latency: UpmixLatency
    /// What becomes of one channel, where that is all there is.
    package var mono: MonoPlacement

    /// A plan.
    package init(mode: UpmixMode = .identity, latency: UpmixLatency = .live, mono: MonoPlacement = .centre) {
        self.mode = mode
        self.latency = latency
        self.mono = mono
    }
}
