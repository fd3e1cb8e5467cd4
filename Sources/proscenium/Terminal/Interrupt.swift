import Foundation
import Glibc
import Signal
import Synchronization
import Takes

/// Turns Ctrl-C, SIGTERM and a closed terminal into a request that running work polls or receives by a callback,
/// instead of ending the program at once.
///
/// If the command has not ended within `patience`, the program ends: it completes takes, removes unusable outputs,
/// restores the terminal's settings and exits with status 130. A second Ctrl-C does so at once. The first request does
/// so after `attention` if no work has a callback or has polled the request, for example while a set is loaded. The
/// signals get handlers and are not ignored, because `exec` resets handlers but keeps ignored signals: children thus
/// start with the default actions.
final class Interrupt: Sendable {
    /// Time from the request until the program ends work that continues, seconds; less than 2 s including the clean-up.
    static let patience = 1.3
    /// Time within which work must poll the request or receive the callback, seconds; else the program ends at once.
    private static let attention = 0.25
    /// Longest time for the completion of takes, seconds: after the first request, and after a second Ctrl-C.
    private static let settling = (inTime: 0.6, atOnce: 0.25)

    private let request = Request()
    private let pipe: (reading: Int32, writing: Int32)

    /// The user's request to end, and its callback.
    private final class Request: Sendable {
        private let isRequested = Atomic<Bool>(false)
        /// Whether work has noticed the request.
        private let isHeard = Atomic<Bool>(false)
        private let listener = Mutex<(@Sendable () -> Void)?>(nil)

        /// Whether the request came and work has noticed it.
        var isFollowed: Bool { isHeard.load(ordering: .relaxed) }

        /// Returns whether the request has come, and counts that as noticed.
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

    /// Starts to handle the signals. Only one instance may exist at a time.
    ///
    /// - Parameter patience: seconds from the request until the program is ended in any case; nil: only by a second
    ///   Ctrl-C.
    init(patience: Double? = Interrupt.patience) {
        var ends: [Int32] = [-1, -1]
        // Without a pipe (out of descriptors) signals keep their default actions, which end the program.
        Glibc.pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pipe = (ends[0], ends[1])
        guard pipe.writing >= 0 else { return }
        signalPipe.store(pipe.writing, ordering: .relaxed)
        var terminal = termios()
        let saved = tcgetattr(0, &terminal) == 0 ? terminal : nil
        let (request, reading) = (self.request, pipe.reading)
        // Without a thread signals keep their default actions, as without a pipe.
        do throws(WorkerError) {
            try Worker.detach("signals") { Self.listen(reading, request, patience, saved) }
        } catch {
            signalPipe.store(-1, ordering: .relaxed)
            return
        }
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var before = sigaction()
            sigaction(number, nil, &before)
            // Under nohup the signal is already ignored, and the program must continue without the terminal.
            let isIgnored = unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1
            if number == SIGHUP, isIgnored { continue }
            Self.handle(number, by: noteSignal)
        }
        // A file beyond the system's size limit must give a write error, not end the program.
        Self.handle(SIGXFSZ) { _ in }
        // A pipe whose reader has ended must give a write error, too.
        Self.handle(SIGPIPE) { _ in }
    }

    deinit {
        guard pipe.writing >= 0 else { return }
        for number in [SIGINT, SIGTERM, SIGHUP] { Self.handle(number, by: SIG_DFL) }
        signalPipe.store(-1, ordering: .relaxed)
        // The listening thread ends and closes its end.
        close(pipe.writing)
    }

    /// Whether the user has requested the end.
    var isRequested: Bool { request.ask() }

    /// Calls `then` when the user requests the end, or at once if the request has come. Replaces the earlier callback.
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
        // Deadline for work to notice the request; nil without one, or once work has noticed.
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

    /// Ends the program, even if its other threads are blocked.
    private static func leave(within seconds: Double, _ terminal: termios?) -> Never {
        let settled = DispatchSemaphore(value: 0)
        do throws(WorkerError) {
            try Worker.detach("last acts") {
                Unfinished.settle()
                settled.signal()
            }
        } catch {
            // No thread: the clean-up runs here; an alarm ends the program if it hangs.
            alarm(UInt32(max(1, seconds)))
            Unfinished.settle()
            settled.signal()
        }
        _ = settled.wait(timeout: .now() + seconds)
        if var terminal { tcsetattr(0, TCSANOW, &terminal) }
        _exit(Failure.Fault.interrupted.rawValue)
    }
}

/// Descriptor to which the handler writes the signals' numbers; −1 without a listener.
private let signalPipe = Atomic<Int32>(-1)

/// Signal handler. It may run at any point of the program, so it only makes safe calls (signal-safety(7)).
private func noteSignal(_ number: Int32) {
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    write(signalPipe.load(ordering: .relaxed), &byte, 1)
    errno = before
}
