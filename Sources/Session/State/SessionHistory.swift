import Desk
import Racks
import Stages

/// What was done to a session, to be undone and done again: the last hundred commands.
struct SessionHistory {
    /// What one command changed.
    struct Step {
        /// What became of the values.
        var values = SessionDifference()
        /// The chains before and after it, where it changed what is in them.
        var chains: (before: PluginRack.Memory, after: PluginRack.Memory)?
        /// The scene it was done in, where it changed what the scene is built of; nil: it changed what all have.
        var scene: Int?
        /// When it was done, seconds of the session's clock.
        var time = 0.0

        /// Whether it changed what the stage is built of.
        var isOfStage: Bool { values.changes.keys.contains { Parameter.named($0)?.rebuildsStage == true } }
    }

    /// Steps that are kept.
    static let capacity = 100
    /// Seconds within which a fader that moves on is one step with where it came from.
    static let gesture = 0.5

    private(set) var done: [Step] = []
    private(set) var undone: [Step] = []
    /// Steps noted so far.
    private(set) var noted = 0
    /// Commands under way, by number, and the addresses that others have changed since each began.
    private var underWay: [Int: Set<String>] = [:]
    private var begun = 0

    /// A command begins; returns its number, for `end`.
    mutating func begin() -> Int {
        begun += 1
        underWay[begun] = []
        return begun
    }

    /// It is over; returns the addresses that others changed meanwhile, in steps of their own.
    mutating func end(_ number: Int) -> Set<String> { underWay.removeValue(forKey: number) ?? [] }

    private mutating func tell(_ step: Step) {
        for number in underWay.keys { underWay[number]?.formUnion(step.values.changes.keys) }
    }

    /// Notes a step; what was undone before cannot be done again.
    mutating func note(_ step: Step) {
        guard !step.values.isEmpty || step.chains != nil else { return }
        tell(step)
        noted += 1
        forget(undone)
        undone = []
        if let last = done.last, last.chains == nil, step.chains == nil, last.scene == step.scene,
            step.time - last.time < Self.gesture,
            Set(last.values.changes.keys) == Set(step.values.changes.keys)
        {
            var gesture = last
            gesture.values.append(step.values)
            gesture.time = step.time
            // What was switched on and off again changed nothing.
            if gesture.values.isEmpty { done.removeLast() } else { done[done.count - 1] = gesture }
            return
        }
        done.append(step)
        if done.count > Self.capacity { forget([done.removeFirst()]) }
    }

    /// The step that is next; nil: there is none.
    func next(_ request: HistoryCommand) -> Step? { (request == .undo ? done : undone).last }

    /// Takes out the step that is next, which cannot be let go of meanwhile; nil: there is none. `put` keeps it again.
    mutating func take(_ request: HistoryCommand) -> Step? { request == .undo ? done.popLast() : undone.popLast() }

    /// Keeps a step that was undone, or done again.
    ///
    /// - Parameter noted: how many steps were noted when it was taken: after a newer one nothing is done again.
    mutating func put(_ step: Step, after request: HistoryCommand, noted: Int) {
        tell(step)
        if request == .redo { return done.append(step) }
        if noted == self.noted { undone.append(step) } else { forget([step]) }
    }

    /// Lets go of what was done in a scene that is no more.
    mutating func forget(scene: Int) {
        forget((done + undone).filter { $0.scene == scene })
        done.removeAll { $0.scene == scene }
        undone.removeAll { $0.scene == scene }
    }

    /// Lets go of all that is kept; at the session's end.
    mutating func clear() {
        forget(done + undone)
        (done, undone) = ([], [])
    }

    private func forget(_ steps: [Step]) {
        for step in steps {
            step.chains?.before.forget()
            step.chains?.after.forget()
        }
    }
}
