import Foundation
import Processes
import Signal
import Synchronization

/// The host's talk with the child of an isolated instance: asks and waits, for a bounded time; hears what the child
/// says of its own accord; notices its end, and ends it where the audio thread found it gone.
///
/// One thread hears the child and ends it; saying may go beside that. What both sides know is in `news`.
final class IsolatedLine: Sendable {
    private let child: ChildProcess
    private let identifier: String
    private let state: IsolatedState
    private let listener = Worker(name: "plugin-hear")
    private let news = Mutex(News())
    /// Raised with every answer, and at the child's end.
    private let arrival = DispatchSemaphore(value: 0)

    /// What both sides know.
    private struct News {
        var asked = 0
        var answer: IsolatedTalk.Answer?
        var known = IsolatedTalk.Report()
        var end: String?
        var unsaid = 0
    }

    /// Seconds between looks at whether the audio thread found the child gone.
    private static let rhythm = 0.1

    /// Talks with a child that was just started. `state` must outlive `close`.
    ///
    /// - Throws: where there is no thread to hear it; the child is then ended.
    init(_ child: ChildProcess, identifier: String, _ state: IsolatedState) throws(PluginError) {
        self.child = child
        self.identifier = identifier
        self.state = state
        do throws(WorkerError) { try listener.start { [self] in hear($0) } } catch {
            child.stop()
            throw .failed(identifier: identifier, reason: error.description)
        }
    }

    /// How the instance was when it last said so.
    var report: IsolatedTalk.Report { news.withLock { $0.known } }

    /// Why it is no more; nil while it is there.
    var whyEnded: String? { news.withLock { $0.end } ?? departure }

    /// What the audio thread found of it; nil where it is there, or where its end says more. The thread that hears the
    /// child may be late to learn it.
    private var departure: String? {
        switch state.reason {
        case .silent, .overwritten: Self.words(state.reason)
        case .ended, nil: nil
        }
    }

    /// What was said to it and not taken, as it was busy.
    var lost: Int { news.withLock { $0.unsaid } }

    /// Asks, and waits for the answer. One thread at a time.
    ///
    /// - Throws: what the child's plugin throws; `failed` where it ends meanwhile or does not answer within `seconds`.
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

    /// Says something that needs no answer; counts what finds no room.
    func tell(_ request: IsolatedTalk.Request) {
        let line = ChildMessage.line(IsolatedTalk.Question(number: 0, request: request))
        if !child.say(line, within: 0) { news.withLock { $0.unsaid += 1 } }
    }

    /// Ends the child and waits until its end was noticed; false where it does not come.
    func close() -> Bool { listener.stop(within: 5) }

    /// Ends the child; another thread waits.
    func abandon() { listener.end() }

    // MARK: Waiting

    private func begin() -> Int {
        // What was raised for answers that came before anything waited for them.
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
            // What was raised for an earlier answer ends one rest, and the look after it finds nothing new.
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
                let words = child.words.last.map { "; it said: \($0)" } ?? ""
                news.withLock { if $0.end == nil { $0.end = "its process ended: \(how)\(words)" } }
                arrival.signal()
                return
            }
        }
    }

    private static func words(_ reason: IsolatedState.Departure?) -> String {
        switch reason {
        case .overwritten: "it wrote over the memory that its process shares with this program, and was ended"
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
