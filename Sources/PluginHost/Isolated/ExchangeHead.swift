import Synchronization

/// How far host and child have come, at the beginning of the memory they share. Places are frames since the beginning.
///
/// Each number has one writer among those that keep to this; the plugin's own code may write over all of them at any
/// time, the host's included. So the host remembers its own numbers itself and never reads them here, and reads the
/// child's by `ExchangeReading` alone.
struct ExchangeHead: ~Copyable, Sendable {
    // MARK: The host's

    /// Frames that were handed over.
    let written = Atomic<Int>(0)
    /// How often the plugin was to begin anew.
    let restartsAsked = Atomic<Int>(0)
    /// Real-time priority of the audio thread, once it is known; 0: none.
    let priority = Atomic<Int>(0)
    private let gap = InlineArray<16, UInt64>(repeating: 0)

    // MARK: The child's

    /// The first frame of the sound that is there: what lies before it was left out.
    let first = Atomic<Int>(0)
    /// Frames that are done, or were left out.
    let done = Atomic<Int>(0)
    /// How often the plugin has begun anew.
    let restarts = Atomic<Int>(0)
    /// Frames by which the plugin says its output is late.
    let latency = Atomic<Int>(0)
    /// 1 once the plugin was at one call for longer than `ExchangeHead.patience`.
    let hasStalled = Atomic<UInt32>(0)

    /// Nanoseconds after which an answer does not come any more.
    static var patience: UInt64 { @_noLocks get { 1_000_000_000 } }
    /// The same offline, where nothing is late.
    static var patienceOffline: UInt64 { @_noLocks get { 10_000_000_000 } }
}
