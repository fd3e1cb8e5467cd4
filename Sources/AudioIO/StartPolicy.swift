/// Event that sets stream time 0: from this frame on the stage is rendered, with a silent history.
package enum StartPolicy: String, CaseIterable, Hashable, Sendable {
    /// The first cycle after activation.
    case firstCycle = "now"
    /// A call of `requestStart`. Until then the output is silent.
    case onRequest = "ctl"
    /// The first cycle after activation, and every later cycle in which the JACK transport begins to roll.
    case transport
}

/// Outcome of a request to start.
enum StartOutcome: Equatable {
    /// No cycle has handled the request yet.
    case pending
    /// Stream time 0 is this frame of the driver's clock.
    case started(frame: UInt32)
    /// The requested frame had already passed, and nothing was started. The cycle that detected this began at `now`.
    case missed(now: UInt32)
}
