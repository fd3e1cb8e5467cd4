import Gate
import Stages
import Synchronization

/// The single queue of commands from all doors. Commands are carried out one after the other, in order of arrival.
///
/// The queue is bounded, so that no sender can fill the memory or delay the session:
/// * A number for a parameter replaces an earlier number for the same parameter that still waits, as long as only
///   numbers for other parameters and queries came in between. The last number is always carried out, and never out of
///   order. Words (`mode off`) replace nothing, because one word may be refused and another accepted.
/// * A query that is repeated while the first one waits shares its reply, as long as no command came in between.
/// * A client that repeats a query gets at most `answersPerAsker` replies, which leaves room for other clients.
/// * Commands are refused while `capacity` commands wait.
///
/// Loading plugins and building stages takes time; a first scan of plugins takes many seconds. Commands to plugins and
/// stages, and undo and redo, therefore wait for each other in a lane of their own. Recordings, whose completion a slow
/// disk may delay, have another lane. Commands outside a lane do not wait for those in it, or for `patience` at most.
/// Every outcome is counted. Any thread.
package final class CommandQueue: Sendable {
    /// Receives the reply to a command: on a task of the queue, or on the calling thread if the command is refused at
    /// once. Must return quickly.
    package typealias Answer = @Sendable (SessionReply) -> Void

    /// Greatest count of waiting commands.
    package static let capacity = 1024
    private static let tooMany = "\(capacity) commands wait already; send more slowly"
    /// Greatest count of clients that wait for the reply to one command.
    package static let answersPerCommand = 64
    /// Greatest count of replies to one command that the same client waits for. A client that floods the queue thus
    /// leaves room for others.
    package static let answersPerAsker = 8

    /// Identifier of a client, in bytes.
    package typealias Asker = [UInt8]

    private struct Entry {
        var command: SessionCommand
        var origin: PathOrigin
        var answers: [(asker: Asker?, answer: Answer)] = []

        /// Adds a client that waits for the reply. Returns false if the limit is reached.
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
        /// Index in `waiting` of the command that a later one of the same subject may replace.
        var replaceable: [CommandSubject: Int] = [:]
        var counts = ControlCounts()
        var sleeper: CheckedContinuation<Void, Never>?
        var isBusy = false
        /// Newest command of each lane, for whose end the next one waits; and count of unfinished commands in all
        /// lanes.
        var newest: [CommandExecution.Lane: Task<Void, Never>] = [:]
        var besideCount = 0
        var isClosed = false
    }

    /// Carries out one command.
    package typealias Perform = @Sendable (SessionCommand) async -> SessionReply

    private let state = Mutex(State())
    /// The function that carries out commands, and the limits for paths. The closure is in a structure, because Swift
    /// would wrap a bare closure in two more closures at every access to the lock's value.
    private struct Hand {
        var perform: Perform?
        var gate = WriteGate(recordings: nil)
    }

    private let hand = Mutex(Hand())
    /// Phase and preparation step, until commands can be carried out.
    package let phase = PhaseBoard()

    /// Creates a queue that replies with the phase `starting` until a session serves it; see `PhaseBoard`.
    package init() { Task { await work() } }

    /// Sets the function that carries out commands, one at a time.
    package func serve(by perform: @escaping Perform) { hand.withLock { $0.perform = perform } }

    /// Limits for paths in commands; no path is permitted until the limits are set.
    package var gate: WriteGate {
        get { hand.withLock { $0.gate } }
        set { hand.withLock { $0.gate = newValue } }
    }

    /// Queues a command. `answer` is called once; immediately, with a refusal, if the queue is full or closed.
    ///
    /// - Parameters:
    ///   - asker: the client of the command; nil: a client without a limit of replies.
    ///   - origin: the door of the command, which determines the limits for paths in the command.
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

    /// Queues a command and waits until it is carried out.
    package func perform(_ command: SessionCommand) async -> SessionReply {
        await withCheckedContinuation { done in submit(command) { done.resume(returning: $0) } }
    }

    /// Counts messages at a door. `lost`: total of datagrams that the door's socket has lost so far. `received` and
    /// `malformed`: messages since the last call.
    package func note(lost: Int, received: Int, malformed: Int) {
        state.withLock { state in
            state.counts.lost = max(state.counts.lost, lost)
            state.counts.received += received
            state.counts.malformed += malformed
        }
    }

    /// Counts a request or a connection that a door refused.
    package func noteTurnedAway() { state.withLock { $0.counts.turnedAway += 1 } }

    /// Counts of commands received, carried out and dropped.
    package var counts: ControlCounts { state.withLock { $0.counts } }

    /// Whether no command waits or runs.
    package var isIdle: Bool { state.withLock { $0.waiting.isEmpty && !$0.isBusy && $0.besideCount == 0 } }

    /// Whether a command waits.
    package var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Closes the queue; waiting commands are refused.
    package func close() {
        let (left, sleeper) = state.withLock { state -> ([Entry], CheckedContinuation<Void, Never>?) in
            state.isClosed = true
            defer { (state.waiting, state.replaceable, state.sleeper) = ([], [:], nil) }
            return (state.waiting, state.sleeper)
        }
        for entry in left { for (_, answer) in entry.answers { answer(phase.answer(to: entry.command, in: .ending)) } }
        sleeper?.resume()
    }

    /// Queues a command. Returns the reason if it is refused, otherwise nil.
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
            // Commands to all inputs and to one input keep their order, and a query reports the effect of all earlier
            // commands.
            state.replaceable = state.replaceable.filter {
                !$0.key.overlaps(subject) && !($0.key.isQuestion && !subject.isQuestion)
            }
            state.replaceable[subject] = state.waiting.count
        } else {
            // Any other command separates the commands before it from those after it.
            state.replaceable = [:]
        }
        state.waiting.append(Entry(command: command, origin: origin, answers: [(asker, answer)]))
        return nil
    }

    /// Waits for commands and returns all that are queued; nil once the queue is closed.
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
            switch entry.command.execution.order {
            case .inTurn: await carryOut(entry)
            case .atItsFrame: Task.immediate { await carryOut(entry) }
            case .beside(let lane, let isAwaited):
                let ending = carryOutBesides(entry, lane)
                if isAwaited { await ending.wait(within: Self.patience) }
            }
        }
    }

    /// Carries out a command after the earlier ones in its lane; returns at once.
    private func carryOutBesides(_ entry: Entry, _ lane: CommandExecution.Lane) -> Ending {
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

    /// Longest time for which later commands wait for a slow command, milliseconds.
    private static let patience = 250

    /// Completion flag of a command.
    private final class Ending: Sendable {
        private let isOver = Atomic<Bool>(false)

        /// Marks the command as complete.
        func come() { isOver.store(true, ordering: .releasing) }

        /// Returns when the command is complete, or after the given time in milliseconds.
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
