import Synchronization

/// Notes of a stage's and its relays' callbacks for the supervisor, which reads and resets them by exchange.
struct JACKNotes: ~Copyable, Sendable {
    let xruns = Atomic<Int>(0)
    /// Frames by which the server's clock ran ahead of the cycles that reached this client.
    let skippedFrames = Atomic<Int>(0)
    let newPeriod = Atomic<Int>(0)
    let newRate = Atomic<Int>(0)
    /// 1: began, 2: ended.
    let freewheelChange = Atomic<Int>(0)
    let connectionsChanged = Atomic<Bool>(true)
    let routeIsLost = Atomic<Bool>(false)
    /// Whether a client was connected to the MIDI output.
    let listenerCame = Atomic<Bool>(false)
    /// Whether latencies wait to be reported.
    let latencyIsNew = Atomic<Bool>(false)
    /// 1: plain shutdown callback, 2: the one with a reason.
    let shutdown = Atomic<Int>(0)
}
