import CJACK
import Glibc
import Signal
import Synchronization

/// Changes that the callbacks of a stage's clients record for the supervisor (`JACKSupervisor`). The supervisor reads
/// and resets them by exchange.
///
/// The methods that record a change also wake the supervisor. They neither lock nor allocate, and may be called on any
/// thread.
struct JACKNotes: ~Copyable, Sendable {
    /// Number of cycles lost since activation.
    let xruns = Atomic<Int>(0)
    /// Number of frames by which the server's clock ran ahead of the cycles that reached this client.
    let skippedFrames = Atomic<Int>(0)
    /// Number of steps of the delay; see `LagSteps`.
    let lagSteps = Atomic<Int>(0)
    /// Frames of empty periods; see `LagSteps`.
    let emptyFrames = Atomic<Int>(0)
    /// New period, frames; 0 without a change.
    let newPeriod = Atomic<Int>(0)
    /// New sample rate, Hz; 0 without a change.
    let newRate = Atomic<Int>(0)
    /// 1 if freewheel began, 2 if it ended, 0 without a change.
    let freewheelChange = Atomic<Int>(0)
    let connectionsChanged = Atomic<Bool>(true)
    let routeIsLost = Atomic<Bool>(false)
    /// Whether a client was connected to the MIDI output.
    let listenerCame = Atomic<Bool>(false)
    /// Whether latencies have to be reported.
    let latencyIsNew = Atomic<Bool>(false)
    /// 1 after the plain shutdown callback, 2 after the callback with a reason, 0 if neither was called since the last
    /// reading.
    let shutdown = Atomic<Int>(0)
    /// Semaphore on which the supervisor waits.
    private let bell = SharedPlace(sem_t())

    /// Makes notes that initially request the connections to be read.
    init() { sem_init(bell.pointer, 0, 1) }

    deinit {
        sem_destroy(bell.pointer)
        bell.deallocate()
    }

    /// Wakes the supervisor.
    func wake() { cjack_ring(bell.pointer) }

    /// Waits for a record, or until a time of the monotonic clock, seconds. Returns whether there was a record. One
    /// call covers all records so far. Only the supervisor may call it.
    func wait(until moment: Double) -> Bool { cjack_await(bell.pointer, Int64(moment * 1e9)) != 0 }

    /// Records a lost cycle.
    func noteXrun() {
        xruns.wrappingAdd(1, ordering: .relaxed)
        wake()
    }

    /// Records another period, frames.
    func note(period frames: Int) {
        newPeriod.store(frames, ordering: .releasing)
        wake()
    }

    /// Records another sample rate, Hz.
    func note(rate hertz: Int) {
        newRate.store(hertz, ordering: .releasing)
        wake()
    }

    /// Records the start or end of freewheel.
    func noteFreewheel(begins: Bool) {
        freewheelChange.store(begins ? 1 : 2, ordering: .releasing)
        wake()
    }

    /// Records that a connection was made or removed.
    func noteConnections() {
        connectionsChanged.store(true, ordering: .releasing)
        wake()
    }

    /// Records that an output has lost its route, which is its connection to the listener's device.
    func noteLostRoute() {
        routeIsLost.store(true, ordering: .releasing)
        wake()
    }

    /// Records that a client was connected to the MIDI output.
    func noteListener() {
        listenerCame.store(true, ordering: .releasing)
        wake()
    }

    /// Records that latencies have to be reported.
    func noteLatency() {
        latencyIsNew.store(true, ordering: .releasing)
        wake()
    }

    /// Records the server's shutdown. `kind` is 1 or 2 as in `shutdown`.
    func note(shutdown kind: Int) {
        shutdown.store(kind, ordering: .releasing)
        wake()
    }
}
