import Synchronization

/// The one way in for commands, whatever door they come through: carried out one after the other, in the order in which they came.
///
/// Bounded, so that no sender can make a session grow or fall behind:
/// * a fader that moves faster than it is followed takes the place of its own earlier value, as long as nothing but other
///   faders and questions came in between; the last value is always carried out, and none out of order;
/// * the same question asked again before it was answered is answered together with the first;
/// * who says the same again and again is answered `answersPerAsker` times, so that others are answered beside it;
/// * what finds `capacity` commands waiting is refused.
/// Each of these is counted. Any thread.
package final class CommandQueue: Sendable {
    /// Hears how a command went; called on the queue's own task, soon over.
    package typealias Answer = @Sendable (SessionReply) -> Void

    /// Commands that may wait at a time.
    package static let capacity = 1024
    /// Answers that may wait for one command.
    static let answersPerCommand = 64
    /// Of those, the answers to one asker: a flood of one's own questions leaves room for those of others.
    static let answersPerAsker = 8

    /// Who asks: bytes that tell one asker from another.
    package typealias Asker = [UInt8]

    private struct Entry {
        var command: SessionCommand
        var answers: [(asker: Asker?, answer: Answer)] = []

        /// Takes on one more who waits for the answer. False: there is no room.
        mutating func add(_ asker: Asker?, _ answer: @escaping Answer) -> Bool {
            guard answers.count < answersPerCommand,
                asker == nil || answers.count(where: { $0.asker == asker }) < answersPerAsker
            else { return false }
            answers.append((asker, answer))
            return true
        }
    }

    private struct State {
        var waiting: [Entry] = []
        /// Where in `waiting` the command stands that another of the same subject may take the place of.
        var replaceable: [CommandSubject: Int] = [:]
        var counts = ControlCounts()
        var sleeper: CheckedContinuation<Void, Never>?
        var isBusy = false
        var isClosed = false
    }

    /// Carries out one command.
    package typealias Perform = @Sendable (SessionCommand) async -> SessionReply

    private let state = Mutex(State())
    /// Who carries commands out, in a structure: a closure that is the lock's own value is wrapped twice more by every access.
    private struct Hand {
        var perform: Perform?
    }

    private let hand = Mutex(Hand())

    /// A queue whose commands are refused until there is somebody to carry them out.
    package init() { Task { await work() } }

    /// Has commands carried out by `perform` from now on, one at a time.
    package func serve(by perform: @escaping Perform) { hand.withLock { $0.perform = perform } }

    /// Puts a command into the queue. `answer` is called once; at once with a refusal where the queue is full or closed.
    ///
    /// - Parameter asker: who asks; nil: nobody whose questions could be too many.
    package func submit(_ command: SessionCommand, from asker: Asker? = nil, answer: @escaping Answer) {
        let (refusal, sleeper) = state.withLock { state -> (String?, CheckedContinuation<Void, Never>?) in
            guard !state.isClosed else { return ("the session is ending", nil) }
            if let refusal = Self.put(command, asker, answer, into: &state) { return (refusal, nil) }
            defer { state.sleeper = nil }
            return (nil, state.sleeper)
        }
        sleeper?.resume()
        if let refusal { answer(.refused(refusal)) }
    }

    /// Puts a command into the queue and waits until it was carried out.
    package func perform(_ command: SessionCommand) async -> SessionReply {
        await withCheckedContinuation { done in submit(command) { done.resume(returning: $0) } }
    }

    /// Notes datagrams that a door's socket lost or threw away, by their total so far.
    package func note(lost: Int, received: Int, malformed: Int) {
        state.withLock { state in
            state.counts.lost = max(state.counts.lost, lost)
            state.counts.received += received
            state.counts.malformed += malformed
        }
    }

    /// What was received, carried out and dropped so far.
    package var counts: ControlCounts { state.withLock { $0.counts } }

    /// Whether nothing waits and nothing is under way.
    package var isIdle: Bool { state.withLock { $0.waiting.isEmpty && !$0.isBusy } }

    /// Whether a command waits for its turn.
    var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Takes no more commands; what waits is refused.
    package func close() {
        let (left, sleeper) = state.withLock { state -> ([Entry], CheckedContinuation<Void, Never>?) in
            state.isClosed = true
            defer { (state.waiting, state.replaceable, state.sleeper) = ([], [:], nil) }
            return (state.waiting, state.sleeper)
        }
        for entry in left { for (_, answer) in entry.answers { answer(.refused("the session is ending")) } }
        sleeper?.resume()
    }

    /// Why a command cannot wait; nil where it now does.
    private static func put(
        _ command: SessionCommand, _ asker: Asker?, _ answer: @escaping Answer, into state: inout State
    ) -> String? {
        let subject = command.subject
        if let subject, let place = state.replaceable[subject] {
            if subject.isQuestion {
                state.counts.shared += 1
            } else {
                state.waiting[place].command = command
                state.counts.superseded += 1
            }
            if !state.waiting[place].add(asker, answer) { state.counts.unanswered += 1 }
            return nil
        }
        guard state.waiting.count < capacity else {
            state.counts.refused += 1
            return "\(capacity) commands wait already; send more slowly"
        }
        if let subject {
            // What is said to all inputs and what is said to one keep their order.
            state.replaceable = state.replaceable.filter { !$0.key.overlaps(subject) }
            state.replaceable[subject] = state.waiting.count
        } else {
            // What is neither a fader nor a question stands between those before it and those after it.
            state.replaceable = [:]
        }
        state.waiting.append(Entry(command: command, answers: [(asker, answer)]))
        return nil
    }

    /// All that waits, as soon as something does; nil once the queue is closed.
    private func next() async -> [Entry]? {
        await withCheckedContinuation { (wakes: CheckedContinuation<Void, Never>) in
            let goesOn = state.withLock { state in
                state.isBusy = false
                guard state.waiting.isEmpty, !state.isClosed else { return true }
                state.sleeper = wakes
                return false
            }
            if goesOn { wakes.resume() }
        }
        return state.withLock { state in
            guard !state.isClosed || !state.waiting.isEmpty else { return nil }
            defer { (state.waiting, state.replaceable) = ([], [:]) }
            state.isBusy = true
            return state.waiting
        }
    }

    private func work() async {
        while let entries = await next() { await carryOut(entries) }
    }

    private func carryOut(_ entries: [Entry]) async {
        for entry in entries {
            let perform = hand.withLock { $0.perform }
            var reply =
                await perform?(entry.command)
                ?? .refused("the session is still being prepared; ask again in a second")
            let counts = state.withLock { state in
                state.counts.performed += 1
                return state.counts
            }
            if case .status(var status) = reply {
                status.control = counts
                reply = .status(status)
            }
            for (_, answer) in entry.answers { answer(reply) }
        }
    }
}

/// What came in through the doors of a session and what became of it, since it began.
package struct ControlCounts: Codable, Sendable, Equatable {
    /// Datagrams read.
    package var received = 0
    /// Datagrams that were no command's bytes.
    package var malformed = 0
    /// Datagrams the kernel threw away before they could be read.
    package var lost = 0
    /// Commands carried out.
    package var performed = 0
    /// Values of a fader that a later one took the place of before they were carried out.
    package var superseded = 0
    /// Questions that were asked again before they were answered, and dealt with together with the first.
    package var shared = 0
    /// Commands refused because too many waited.
    package var refused = 0
    /// Of `superseded` and `shared`: those that were not answered, because too many asked the same.
    package var unanswered = 0

    /// Nothing yet.
    package init() {}
}

/// What a command is about: a later one about the same takes its place.
struct CommandSubject: Hashable, Sendable {
    /// The parameter or question.
    var word: String
    /// Whether a parameter is given a word instead of numbers.
    var isWord = false
    /// The input it is said to; nil: all, or the session.
    var input: String?
    /// Whether it is only asked for.
    var isQuestion = false

    /// Whether the order of the two matters: one is said to all inputs and the other to one of them, or both say something of
    /// the same thing (`upmix` and `upmix-centre`, a level and `off`).
    func overlaps(_ other: CommandSubject) -> Bool {
        self != other && family == other.family && (input == nil || other.input == nil || input == other.input)
    }

    /// What its name begins with.
    private var family: Substring { word.prefix { $0 != "-" } }
}

extension SessionCommand {
    /// What a command is about, where a later one about the same makes it superfluous; nil where each must be carried out.
    var subject: CommandSubject? {
        switch self {
        case .set(let change): change.subject
        case .status: CommandSubject(word: "status", isQuestion: true)
        case .loudness(reset: false): CommandSubject(word: "loudness", isQuestion: true)
        case .loudness, .recentre, .playback, .preview, .start, .quit: nil
        }
    }
}

extension ParameterChange {
    /// What it is about; nil for what depends on the order in which it is said.
    fileprivate var subject: CommandSubject? {
        switch Parameter.named(parameter)?.effect {
        // A target needs a loudness that was said before it.
        case .dynamics, nil: nil
        case .controls, .tracking, .room:
            // Turned twice is not turned once.
            if value == .word("toggle") {
                nil
            } else {
                CommandSubject(word: parameter, isWord: !value.word.isEmpty, input: input)
            }
        }
    }
}
