import Foundation
import Processes
import Signal
import Synchronization

/// The host's dialogue with the child of an isolated instance. It sends requests, waits for answers for a bounded time,
/// receives the child's reports, and detects the child's end. It ends a child that the audio thread has given up.
///
/// One thread receives messages and ends the child. Other threads may send, one at a time. `news` holds their shared
/// data.
final class IsolatedLine: Sendable {
    private let child: ChildProcess
    private let identifier: String
    private let state: IsolatedState
    private let listener = Worker(name: "plugin-hear")
    private let news = Mutex(News())
    /// Signalled at every answer, and at the child's end.
    private let arrival = DispatchSemaphore(value: 0)

    /// Data shared by the receiving and the sending thread.
    private struct News {
        var asked = 0
        var answer: IsolatedTalk.Answer?
        var known = IsolatedTalk.Report()
        var end: String?
        var unsaid = 0
    }

    /// Seconds between checks whether the audio thread has marked the instance as gone.
    private static let rhythm = 0.1

    /// Starts the dialogue with a child that was just started. `state` must exist until `close` has returned true.
    ///
    /// - Throws: `failed` if no thread can be started to receive; the child is then ended.
    init(_ child: ChildProcess, identifier: String, _ state: IsolatedState) throws(PluginError) {
        self.child = child
        self.identifier = identifier
        self.state = state
        do throws(WorkerError) { try listener.start { [self] in hear($0) } } catch {
            child.stop()
            throw .failed(identifier: identifier, reason: error.description)
        }
    }

    /// Last report of the instance.
    var report: IsolatedTalk.Report { news.withLock { $0.known } }

    /// Reason for the end of the child; nil before. A child that the audio thread has given up counts as ended.
    var whyEnded: String? { news.withLock { $0.end } ?? departure }

    /// Reason why the audio thread has given up the child: silence or overwritten memory. Nil if the audio thread has
    /// not given it up, or if the child ended by itself, because `news` then has a more specific reason. The receiving
    /// thread ends a child that was given up.
    private var departure: String? {
        switch state.reason {
        case .silent, .overwritten: Self.words(state.reason)
        case .ended, nil: nil
        }
    }

    /// Number of messages of `tell` that could not be written at once, because the child was busy or had ended.
    var lost: Int { news.withLock { $0.unsaid } }

    /// Sends a request and waits for the answer. Must be called by one thread at a time.
    ///
    /// - Throws: errors of the child's plugin; `failed` if the child has ended or been given up, ends meanwhile, or
    ///   does not answer within `seconds`.
    @discardableResult
    func ask(_ request: IsolatedTalk.Request, within seconds: Double) throws(PluginError) -> IsolatedTalk.Answer {
        if let departure {
            throw .failed(identifier: identifier, reason: "\(request.words): \(whyEnded ?? departure)")
        }
        let (number, limit) = (begin(), DispatchTime.now() + seconds)
        let isSaid = child.say(
            ChildMessage.line(IsolatedTalk.Question(number: number, request: request)), within: seconds)
        let (answer, end) = wait(for: number, until: isSaid ? limit : .now() + Self.rhythm)
        if let answer {
            if let error = answer.error { throw error }
            return answer
        }
        throw .failed(
            identifier: identifier,
            reason: end.map { "\(request.words): \($0)" }
                ?? "\(request.words): its process did not answer within \(String(format: "%g", seconds)) s")
    }

    /// Sends a message that needs no answer. A message that cannot be written immediately is dropped and counted. If a
    /// part of it was written, no later message is sent (`ChildProcess.say`).
    func tell(_ request: IsolatedTalk.Request) {
        let line = ChildMessage.line(IsolatedTalk.Question(number: 0, request: request))
        if !child.say(line, within: 0) { news.withLock { $0.unsaid += 1 } }
    }

    /// Ends the child and waits for its end, at most 5 s. Returns false if the child has not ended by then.
    func close() -> Bool { listener.stop(within: 5) }

    /// Ends the child without waiting.
    func abandon() { listener.end() }

    // MARK: Waiting

    private func begin() -> Int {
        // Clears signals of answers that arrived before this request.
        while arrival.wait(timeout: .now()) == .success {}
        return news.withLock { news in
            news.asked += 1
            news.answer = nil
            return news.asked
        }
    }

    private func wait(for number: Int, until limit: DispatchTime) -> (IsolatedTalk.Answer?, String?) {
        var isLate = false
        while true {
            let (answer, end) = news.withLock { ($0.answer?.number == number ? $0.answer : nil, $0.end) }
            guard answer == nil, end == nil, !isLate else { return (answer, end) }
            // The signal of an earlier answer may end one wait; the check after it then finds no answer.
            isLate = arrival.wait(timeout: limit) == .timedOut
        }
    }

    // MARK: Hearing

    private func hear(_ thread: Worker) {
        while true {
            let isUnwanted = thread.isEnding || state.isGone
            if isUnwanted && news.withLock({ $0.end == nil }) {
                let why = thread.isEnding ? "its process was ended" : Self.words(state.reason)
                news.withLock { $0.end = why }
            }
            if isUnwanted { child.stop() }
            switch child.next(within: Self.rhythm) {
            case .silent: break
            case .line(let line): take(line)
            case .ended(let how):
                state.leave(.ended)
                let words = child.words.last.map { "; its message: \($0)" } ?? ""
                news.withLock { if $0.end == nil { $0.end = "its process ended: \(how)\(words)" } }
                arrival.signal()
                return
            }
        }
    }

    private static func words(_ reason: IsolatedState.Departure?) -> String {
        switch reason {
        case .overwritten:
            "it wrote impossible values into the memory that its process shares with this program, and was ended"
        case .ended, .silent, nil: "its process did not answer for 1 s"
        }
    }

    private func take(_ line: String) {
        guard let said = ChildMessage.read(IsolatedTalk.Answer.self, line) else { return }
        news.withLock { news in
            if let report = said.report { news.known = report.ranged }
            if said.number != 0 { news.answer = said }
        }
        if said.number != 0 { arrival.signal() }
    }
}
