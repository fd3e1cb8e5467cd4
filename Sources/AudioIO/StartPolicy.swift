/// When stream time 0 is: the first frame the graph renders, with silent history.
package enum StartPolicy: String, CaseIterable, Hashable, Sendable {
    /// The first cycle after activation.
    case firstCycle = "now"
    /// Silence until `requestStart`.
    case onRequest = "ctl"
    /// The first cycle after activation, and again at each cycle in which the JACK transport begins to roll.
    case transport
}

/// How a request to start ended.
enum StartOutcome: Equatable {
    /// Still to come.
    case pending
    /// Stream time 0 is this frame of the driver's clock.
    case started(frame: UInt32)
    /// The frame asked for had gone by; nothing was started. The cycle in which this was seen began at `now`.
    case missed(now: UInt32)
}
