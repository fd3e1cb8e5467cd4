import Synchronization

/// Progress of the host and of the child (the process that runs a plugin), at the start of their shared memory.
/// Positions count frames since the exchange began.
///
/// Each number has one legitimate writer. But the plugin's own code may overwrite all of them at any time, including
/// the host's numbers. So the host keeps its own numbers in private memory and never reads them here, and it reads the
/// child's numbers only through `ExchangeReading`.
struct ExchangeHead: ~Copyable, Sendable {
    // MARK: The host's

    /// Number of frames that the host has passed to the child.
    let written = Atomic<Int>(0)
    /// Number of restarts of the plugin that the host has requested.
    let restartsAsked = Atomic<Int>(0)
    /// Real-time priority of the audio thread; 0 if it is unknown, or if the thread has none.
    let priority = Atomic<Int>(0)
    private let gap = InlineArray<16, UInt64>(repeating: 0)

    // MARK: The child's

    /// Position after the frames that the child skipped last; 0 if it has skipped none.
    let first = Atomic<Int>(0)
    /// Number of frames that the child has processed or skipped.
    let done = Atomic<Int>(0)
    /// Number of completed restarts of the plugin.
    let restarts = Atomic<Int>(0)
    /// Latency that the plugin reports, frames.
    let latency = Atomic<Int>(0)
    /// 1 after a call of the plugin has lasted longer than `ExchangeHead.patience`.
    let hasStalled = Atomic<UInt32>(0)

    /// Time limit for an answer of the child in live operation, ns.
    static var patience: UInt64 { @_noLocks get { 1_000_000_000 } }
    /// Time limit for an answer of the child offline, where the host waits for each answer, ns.
    static var patienceOffline: UInt64 { @_noLocks get { 10_000_000_000 } }
}
