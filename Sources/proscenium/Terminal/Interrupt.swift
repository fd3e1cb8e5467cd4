import Foundation
import Glibc
import Signal
import Synchronization
import Takes

/// Turns Ctrl-C, a request to terminate and a terminal that is gone into a request that work can ask for, instead of
/// death on the spot.
///
/// A command that does not end in time is ended: takes are completed, outputs that would be worth nothing removed,
/// the terminal is given back, and the program leaves with status 130. A second Ctrl-C does so at once, and so does the
/// first where no work is told of it and none asks, as while a set is loaded. A handler of its own, in place of
/// ignoring the signals, ends with `exec`: children have the signals' default actions.
final class Interrupt: Sendable {
    /// Seconds after which work that goes on in spite of the request is ended; with what is done then, less than two.
    static let patience = 1.3
    /// Seconds in which work must ask for the request, or be told of it, to be waited for.
    private static let attention = 0.25
    /// Seconds that takes get to be completed at the end, and at a second Ctrl-C.
    private static let settling = (inTime: 0.6, atOnce: 0.25)

    private let request = Request()
    private let pipe: (reading: Int32, writing: Int32)

    /// What the user wants, and what is to be told of it.
    private final class Request: Sendable {
        private let isRequested = Atomic<Bool>(false)
        /// Whether it was heard of.
        private let isHeard = Atomic<Bool>(false)
        private let listener = Mutex<(@Sendable () -> Void)?>(nil)

        /// Whether it came and was heard of.
        var isFollowed: Bool { isHeard.load(ordering: .relaxed) }

        /// Whether it has come; the caller then knows.
        func ask() -> Bool {
            guard isRequested.load(ordering: .relaxed) else { return false }
            isHeard.store(true, ordering: .relaxed)
            return true
        }

        func come() {
            isRequested.store(true, ordering: .relaxed)
            guard let then = listener.withLock({ $0 }) else { return }
            isHeard.store(true, ordering: .relaxed)
            then()
        }

        func tell(_ then: @escaping @Sendable () -> Void) {
            listener.withLock { $0 = then }
            if ask() { then() }
        }
    }

    /// Listens from now on; there is one at a time.
    ///
    /// - Parameter patience: seconds until the program is ended in spite of what it does; nil: never but by a second
    ///   Ctrl-C.
    init(patience: Double? = Interrupt.patience) {
        var ends: [Int32] = [-1, -1]
        // Without a pipe (no descriptors left) signals keep their default actions, which end the program too.
        Glibc.pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pipe = (ends[0], ends[1])
        guard pipe.writing >= 0 else { return }
        signalPipe.store(pipe.writing, ordering: .relaxed)
        var terminal = termios()
        let saved = tcgetattr(0, &terminal) == 0 ? terminal : nil
        let (request, reading) = (self.request, pipe.reading)
        // As without a pipe.
        do throws(WorkerError) {
            try Worker.detach("signals") { Self.listen(reading, request, patience, saved) }
        } catch {
            signalPipe.store(-1, ordering: .relaxed)
            return
        }
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var before = sigaction()
            sigaction(number, nil, &before)
            // A user who started it with nohup wants it to outlive the terminal.
            let isIgnored = unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1
            if number == SIGHUP, isIgnored { continue }
            Self.handle(number, by: noteSignal)
        }
        // A file that grows beyond what the system allows is an error of that file, not the end of the program.
        Self.handle(SIGXFSZ) { _ in }
    }

    deinit {
        guard pipe.writing >= 0 else { return }
        for number in [SIGINT, SIGTERM, SIGHUP] { Self.handle(number, by: SIG_DFL) }
        signalPipe.store(-1, ordering: .relaxed)
        // The listener ends, and closes its end.
        close(pipe.writing)
    }

    /// Whether the user wants the work to end.
    var isRequested: Bool { request.ask() }

    /// Has `then` run when the user wants an end, or now where they want it already. It replaces what was to run
    /// before.
    func tell(_ then: @escaping @Sendable () -> Void) { request.tell(then) }

    private static func handle(_ number: Int32, by handler: (@convention(c) (Int32) -> Void)?) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART
        sigemptyset(&action.sa_mask)
        sigaction(number, &action, nil)
    }

    private static func listen(_ pipe: Int32, _ request: Request, _ patience: Double?, _ terminal: termios?) {
        defer { close(pipe) }
        var end: ContinuousClock.Instant?
        // Until when a listener must have heard of the request; nil: none has to, or one has heard.
        var hearing: ContinuousClock.Instant?
        var hasCome = false
        var presses = 0
        while true {
            var ready = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let left = (hearing ?? end).map { max(0, ($0 - .now) / .milliseconds(1)) }
            let count = poll(&ready, 1, left.map { Int32($0.rounded(.up)) } ?? -1)
            if count == 0 {
                guard hearing == nil || !request.isFollowed else {
                    hearing = nil
                    continue
                }
                if hearing != nil { say("interrupted") }
                leave(within: settling.inTime, terminal)
            }
            var number: UInt8 = 0
            guard count > 0 else { continue }
            guard read(pipe, &number, 1) == 1 else { return }
            presses += Int32(number) == SIGINT ? 1 : 0
            if presses > 1 { leave(within: settling.atOnce, terminal) }
            guard !hasCome else { continue }
            hasCome = true
            end = patience.map { .now + .seconds($0) }
            hearing = patience.map { _ in .now + .seconds(attention) }
            request.come()
        }
    }

    /// Ends the program, whatever its other threads wait for.
    private static func leave(within seconds: Double, _ terminal: termios?) -> Never {
        let settled = DispatchSemaphore(value: 0)
        do throws(WorkerError) {
            try Worker.detach("last acts") {
                Unfinished.settle()
                settled.signal()
            }
        } catch {
            // Here, then; what does not come to its end ends by the alarm.
            alarm(UInt32(max(1, seconds)))
            Unfinished.settle()
            settled.signal()
        }
        _ = settled.wait(timeout: .now() + seconds)
        if var terminal { tcsetattr(0, TCSANOW, &terminal) }
        _exit(Failure.Fault.interrupted.rawValue)
    }
}

/// Where the handler writes the signals' numbers; −1 while there is no listener.
private let signalPipe = Atomic<Int32>(-1)

/// The handler: a signal may come at any point of the program, and it may do no more than this (signal-safety(7)).
private func noteSignal(_ number: Int32) {
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    write(signalPipe.load(ordering: .relaxed), &byte, 1)
    errno = before
}
