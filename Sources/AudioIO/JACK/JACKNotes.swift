import CJACK
import Glibc
import Signal
import Synchronization

/// Notes of a stage's and its relays' callbacks for the supervisor, which reads and resets them by exchange.
///
/// The methods that set a note also wake the supervisor. They neither lock nor allocate: any thread.
struct JACKNotes: ~Copyable, Sendable {
    let xruns = Atomic<Int>(0)
    /// Frames by which the server's clock ran ahead of the cycles that reached this client.
    let skippedFrames = Atomic<Int>(0)
    /// Steps of the lag, and the frames of empty periods among them; see `LagSteps`.
    let lagSteps = Atomic<Int>(0)
    let emptyFrames = Atomic<Int>(0)
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
    /// Semaphore on which the supervisor waits.
    private let bell = SharedPlace(sem_t())

    /// Creates notes that ask for the connections to be read.
    init() { sem_init(bell.pointer, 0, 1) }

    deinit {
        sem_destroy(bell.pointer)
        bell.deallocate()
    }

    /// Wakes the supervisor.
    func wake() { cjack_ring(bell.pointer) }

    /// Waits for a note, or until a time of the monotonic clock in seconds. The supervisor alone. Returns whether it
    /// was woken; one call covers all notes so far.
    func wait(until moment: Double) -> Bool { cjack_await(bell.pointer, Int64(moment * 1e9)) != 0 }

    /// Notes an xrun.
    func noteXrun() {
        xruns.wrappingAdd(1, ordering: .relaxed)
        wake()
    }

    /// Notes another period, in frames.
    func note(period frames: Int) {
        newPeriod.store(frames, ordering: .releasing)
        wake()
    }

    /// Notes another sample rate, Hz.
    func note(rate hertz: Int) {
        newRate.store(hertz, ordering: .releasing)
        wake()
    }

    /// Notes the start or end of freewheel.
    func noteFreewheel(begins: Bool) {
        freewheelChange.store(begins ? 1 : 2, ordering: .releasing)
        wake()
    }

    /// Notes a connection made or removed.
    func noteConnections() {
        connectionsChanged.store(true, ordering: .releasing)
        wake()
    }

    /// Notes the loss of the route of the ears.
    func noteLostRoute() {
        routeIsLost.store(true, ordering: .releasing)
        wake()
    }

    /// Notes a client newly connected to the MIDI output.
    func noteListener() {
        listenerCame.store(true, ordering: .releasing)
        wake()
    }

    /// Notes latencies to report.
    func noteLatency() {
        latencyIsNew.store(true, ordering: .releasing)
        wake()
    }

    /// Notes the server's shutdown; `kind` as in `shutdown`.
    func note(shutdown kind: Int) {
        shutdown.store(kind, ordering: .releasing)
        wake()
    }
}
