import Synchronization

/// What the callbacks of a stage and of its relays note for the supervisor; flags are taken by exchange.
struct JACKNotes: ~Copyable, Sendable {
    let xruns = Atomic<Int>(0)
    /// Frames by which the server's clock ran ahead of the cycles that reached us.
    let skippedFrames = Atomic<Int>(0)
    let newPeriod = Atomic<Int>(0)
    let newRate = Atomic<Int>(0)
    /// 1: began, 2: ended.
    let freewheelChange = Atomic<Int>(0)
    let connectionsChanged = Atomic<Bool>(true)
    let routeIsLost = Atomic<Bool>(false)
    /// A client was connected to the port that gives MIDI.
    let listenerCame = Atomic<Bool>(false)
    /// There are latencies that were not passed on yet.
    let latencyIsNew = Atomic<Bool>(false)
    /// 1: plain shutdown callback, 2: the one with a reason.
    let shutdown = Atomic<Int>(0)
}
