import Gate
import Stages
import Synchronization

/// The one way in for commands, whatever door they come through: carried out one after the other, in the order in which
/// they came.
///
/// Bounded, so that no sender can make a session grow or fall behind:
/// * a fader that moves faster than it is followed takes the place of its own earlier value, as long as nothing but
/// other
///   faders and questions came in between; the last value is always carried out, never out of order. Words (`mode off`)
///   take no other's place: one may be refused where another is done;
/// * the same question asked again before it was answered is answered together with the first, as long as nothing was
/// asked for
///   in between;
/// * a client that says the same again and again is answered `answersPerAsker` times,
///   so that others are answered beside it;
/// * what finds `capacity` commands waiting is refused.
/// Plugins take their time to be made, a first scan of them many seconds, and so do stages: commands to plugins and
/// stages, and what undoes them, wait for each other, and nothing else waits for them. Recordings, which a slow disk
/// completes, have such a lane of their own.
/// Each of these is counted. Any thread.
package final class CommandQueue: Sendable {
    /// Hears how a command went; called on the queue's own task, soon over.
    package typealias Answer = @Sendable (SessionReply) -> Void

    /// Commands that may wait at a time.
    package static let capacity = 1024
    private static let tooMany = "\(capacity) commands wait already; send more slowly"
    /// Answers that may wait for one command.
    package static let answersPerCommand = 64
    /// Of those, the answers to one asker: a flood of one's own questions leaves room for those of others.
    package static let answersPerAsker = 8

    /// A client that asks: bytes that tell one from another.
    package typealias Asker = [UInt8]

    private struct Entry {
        var command: SessionCommand
        var origin: PathOrigin
        var answers: [(asker: Asker?, answer: Answer)] = []

        /// Takes on one more client that waits for the answer. False: there is no room.
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
        /// The newest command of each lane, which those to come in it wait for, and how many of all are not done.
        var newest: [Lane: Task<Void, Never>] = [:]
        var besideCount = 0
        var isClosed = false
    }

    /// Carries out one command.
    package typealias Perform = @Sendable (SessionCommand) async -> SessionReply

    private let state = Mutex(State())
    /// What carries commands out, in a structure: a closure that is the lock's own value is wrapped twice more by every
    /// access.
    private struct Hand {
        var perform: Perform?
        var gate = WriteGate(recordings: nil)
    }

    private let hand = Mutex(Hand())
    /// What is being prepared until commands can be carried out.
    package let phase = PhaseBoard()

    /// A queue that answers with the phase `starting` until a session carries commands out, see `PhaseBoard`.
    package init() { Task { await work() } }

    /// Has commands carried out by `perform` from now on, one at a time.
    package func serve(by perform: @escaping Perform) { hand.withLock { $0.perform = perform } }

    /// What paths in commands may reach; until it is set, nothing.
    package var gate: WriteGate {
        get { hand.withLock { $0.gate } }
        set { hand.withLock { $0.gate = newValue } }
    }

    /// Puts a command into the queue. `answer` is called once; at once with a refusal where the queue is full or
    /// closed.
    ///
    /// - Parameters:
    ///   - asker: the client that asks; nil: one whose questions are not counted.
    ///   - origin: the door it came by, which decides what its paths may reach.
    package func submit(
        _ command: SessionCommand, from asker: Asker? = nil, origin: PathOrigin = .network, answer: @escaping Answer
    ) {
        let (refusal, sleeper) = state.withLock { state -> (String?, CheckedContinuation<Void, Never>?) in
            guard !state.isClosed else { return (SessionReply.ending, nil) }
            if let refusal = Self.put(command, origin, asker, answer, into: &state) { return (refusal, nil) }
            defer { state.sleeper = nil }
            return (nil, state.sleeper)
        }
        sleeper?.resume()
        guard let refusal else { return }
        answer(refusal == SessionReply.ending ? phase.answer(to: command, in: .ending) : .refused(refusal))
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

    /// Notes a request or a connection that a door did not let in.
    package func noteTurnedAway() { state.withLock { $0.counts.turnedAway += 1 } }

    /// What was received, carried out and dropped so far.
    package var counts: ControlCounts { state.withLock { $0.counts } }

    /// Whether nothing waits and nothing is under way.
    package var isIdle: Bool { state.withLock { $0.waiting.isEmpty && !$0.isBusy && $0.besideCount == 0 } }

    /// Whether a command waits for its turn.
    package var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Takes no more commands; what waits is refused.
    package func close() {
        let (left, sleeper) = state.withLock { state -> ([Entry], CheckedContinuation<Void, Never>?) in
            state.isClosed = true
            defer { (state.waiting, state.replaceable, state.sleeper) = ([], [:], nil) }
            return (state.waiting, state.sleeper)
        }
        for entry in left { for (_, answer) in entry.answers { answer(phase.answer(to: entry.command, in: .ending)) } }
        sleeper?.resume()
    }

    /// Why a command cannot wait; nil where it now does.
    private static func put(
        _ command: SessionCommand, _ origin: PathOrigin, _ asker: Asker?, _ answer: @escaping Answer,
        into state: inout State
    ) -> String? {
        let subject = command.subject
        if let subject, !subject.isWord, let place = state.replaceable[subject] {
            if subject.isQuestion {
                state.counts.shared += 1
            } else {
                (state.waiting[place].command, state.waiting[place].origin) = (command, origin)
                state.counts.superseded += 1
            }
            if !state.waiting[place].add(asker, answer) { state.counts.unanswered += 1 }
            return nil
        }
        guard state.waiting.count < capacity else {
            state.counts.refused += 1
            return tooMany
        }
        if let subject {
            // What is said to all inputs and what is said to one keep their order, and a question hears of all before
            // it.
            state.replaceable = state.replaceable.filter {
                !$0.key.overlaps(subject) && !($0.key.isQuestion && !subject.isQuestion)
            }
            state.replaceable[subject] = state.waiting.count
        } else {
            // What is neither a fader nor a question stands between those before it and those after it.
            state.replaceable = [:]
        }
        state.waiting.append(Entry(command: command, origin: origin, answers: [(asker, answer)]))
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
            switch entry.command {
            // It is over when its frame has come, seconds ahead perhaps: it begins in its turn,
            // and no command waits for it.
            case .start: Task.immediate { await carryOut(entry) }
            case .plugin: carryOutBesides(entry, .stages)
            // A recording that ends is written to the disk, which may be slow.
            case .record: await carryOutBesides(entry, .recordings).wait(within: Self.patience)
            // Most are over at once, and what comes after them counts on that;
            // a stage that is built anew is not waited for.
            case .history: await carryOutBesides(entry, .stages).wait(within: Self.patience)
            case .set(let change) where change.parameter.takesAWhile: carryOutBesides(entry, .stages)
            default: await carryOut(entry)
            }
        }
    }

    /// Commands that take a while, of which each waits for those before it in its lane, and no other does.
    private enum Lane {
        /// Plugins, stages and what undoes them.
        case stages
        case recordings
    }

    /// Carries out a command when those before it in its lane are done; returns at once.
    @discardableResult
    private func carryOutBesides(_ entry: Entry, _ lane: Lane) -> Ending {
        let ending = Ending()
        let hasRoom = state.withLock { state in
            guard state.besideCount < Self.capacity else {
                state.counts.refused += 1
                return false
            }
            let before = state.newest[lane]
            state.besideCount += 1
            state.newest[lane] = Task {
                await before?.value
                await carryOut(entry)
                self.state.withLock { $0.besideCount -= 1 }
                ending.come()
            }
            return true
        }
        if !hasRoom {
            for (_, answer) in entry.answers { answer(.refused(Self.tooMany)) }
            ending.come()
        }
        return ending
    }

    /// Milliseconds that others wait for a command that may take a while.
    private static let patience = 250

    /// That something is over.
    private final class Ending: Sendable {
        private let isOver = Atomic<Bool>(false)

        /// It is.
        func come() { isOver.store(true, ordering: .releasing) }

        /// Returns when it is, or after so many milliseconds.
        func wait(within milliseconds: Int) async {
            for _ in 0..<milliseconds where !isOver.load(ordering: .acquiring) {
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    private func carryOut(_ entry: Entry) async {
        let (perform, gate) = hand.withLock { ($0.perform, $0.gate) }
        var reply: SessionReply
        if let perform {
            do throws(PathRefusal) {
                reply = await perform(try entry.command.admitted(by: gate, from: entry.origin))
            } catch {
                reply = .refused(error.description)
            }
        } else {
            reply = phase.answer(to: entry.command, in: .starting)
        }
        let counts = state.withLock { state in
            if perform == nil, entry.command != .status {
                state.counts.refused += 1
            } else {
                state.counts.performed += 1
            }
            return state.counts
        }
        switch reply {
        case .status(var status):
            status.control = counts
            reply = .status(status)
        case .phase(var status):
            status.control = counts
            reply = .phase(status)
        default: break
        }
        for (_, answer) in entry.answers { answer(reply) }
    }
}
