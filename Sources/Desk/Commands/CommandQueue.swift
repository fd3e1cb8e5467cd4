import Gate
import Stages
import Synchronization

/// The single queue of commands from all control interfaces. Commands outside the lanes are carried out one after the
/// other, in order of arrival.
///
/// The queue is bounded, so that no sender can fill the memory or delay the session:
/// * A number for a parameter replaces an earlier number for the same parameter that still waits, as long as every
///   command in between has a subject (`CommandSubject`) that does not overlap with it. The last number is carried out,
///   and commands that affect each other keep their order. Words (`mode off`) replace nothing, because one word may be
///   refused and another accepted.
/// * A query that is repeated while the first one waits shares its reply, as long as only queries came in between.
/// * A client gets at most `answersPerAsker` replies to one command that waits, which leaves room for other clients.
/// * While `capacity` commands wait, a command that does not replace another or share its reply is refused.
///
/// Loading plugins and building stages takes time; a first scan of plugins takes many seconds. Commands to plugins and
/// stages, and undo and redo, therefore wait for each other in a lane of their own. Recordings, whose completion a slow
/// disk may delay, have another lane. Commands outside a lane do not wait for those in it, or for `patience` at most.
/// Every outcome is counted. All functions may be called on any thread.
package final class CommandQueue: Sendable {
    /// Receives the reply to a command: on a task of the queue, or on the thread that calls `submit` or `close` if it
    /// refuses the command. Must return quickly.
    package typealias Answer = @Sendable (SessionReply) -> Void

    /// Greatest count of waiting commands.
    package static let capacity = 1024
    private static let tooMany = "\(capacity) commands wait already; send more slowly"
    /// Greatest count of replies to one command.
    package static let answersPerCommand = 64
    /// Greatest count of replies to one command for the same client. A client that floods the queue thus leaves room
    /// for others.
    package static let answersPerAsker = 8

    /// Identifier of a client, in bytes.
    package typealias Asker = [UInt8]

    private struct Entry {
        var command: SessionCommand
        var origin: PathOrigin
        var answers: [(asker: Asker?, answer: Answer)] = []

        /// Adds a client that waits for the reply. Returns false if a limit is reached.
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
    /// Preparation step, and replies while no session carries out commands.
    package let phase = PhaseBoard()

    /// Creates a queue that replies with the phase `starting` until a session serves it; see `PhaseBoard`.
    package init() { Task { await work() } }

    /// Sets the function that carries out commands. Its calls for commands in lanes may overlap with others.
    package func serve(by perform: @escaping Perform) { hand.withLock { $0.perform = perform } }

    /// Limits for paths in commands; no path is permitted until the limits are set.
    package var gate: WriteGate {
        get { hand.withLock { $0.gate } }
        set { hand.withLock { $0.gate = newValue } }
    }

    /// Queues a command. `answer` is called once: immediately if the queue is full or closed. It is never called if the
    /// command shares a reply, or replaces another command, for which a limit of replies is reached.
    ///
    /// - Parameters:
    ///   - asker: the client of the command; nil: a client without the limit `answersPerAsker`.
    ///   - origin: the origin of the command, which determines the limits for paths in the command.
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

    /// Counts messages on a control interface. `lost`: total of datagrams that its socket has lost so far. `received`
    /// and `malformed`: messages since the last call.
    package func note(lost: Int, received: Int, malformed: Int) {
        state.withLock { state in
            state.counts.lost = max(state.counts.lost, lost)
            state.counts.received += received
            state.counts.malformed += malformed
        }
    }

    /// Counts a request or a connection that a control interface refused.
    package func noteTurnedAway() { state.withLock { $0.counts.turnedAway += 1 } }

    /// Counts of messages, and of the outcomes of commands.
    package var counts: ControlCounts { state.withLock { $0.counts } }

    /// Whether no command waits or runs.
    package var isIdle: Bool { state.withLock { $0.waiting.isEmpty && !$0.isBusy && $0.besideCount == 0 } }

    /// Whether a command waits.
    package var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Closes the queue. Waiting commands get the reply of the phase `ending`.
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

    /// Carries out a command after the earlier ones in its lane; returns at once. Refuses it if the lanes are full.
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

        /// Returns when the command is complete, or after at least the given time in milliseconds.
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
