import Desk
import Stages

/// History of a session for undo and redo: the last hundred commands.
struct SessionHistory {
    /// Changes made by one command.
    struct Step {
        /// Changes of values, or of the content of the chains, which includes the plugins' values.
        var difference = SessionDifference()
        /// The plugin's property that the command set, as `plugin/symbol`; nil for any other command.
        var property: String?
        /// Number of the scene whose choices or plugins were changed; nil if the change holds for all scenes.
        var scene: Int?
        /// Time of the command, seconds of the session's clock.
        var time = 0.0

        /// Whether the step changed a value whose change takes longer than others.
        var takesAWhile: Bool { difference.changes.keys.contains { Parameter.named($0)?.takesAWhile == true } }
        /// Whether the step changed a choice of the stage.
        var isOfStage: Bool { difference.changes.keys.contains { Parameter.named($0)?.rebuildsStage == true } }
    }

    /// Number of steps kept.
    static let capacity = 100
    /// Time within which further changes of the same addresses are added to the last step, seconds. The motion of a
    /// fader is thus one step.
    static let gesture = 0.5

    private(set) var done: [Step] = []
    private(set) var undone: [Step] = []
    /// Number of steps noted so far.
    private(set) var noted = 0
    /// Commands in progress, by number, and the addresses changed by other commands since each began.
    private var underWay: [Int: Set<String>] = [:]
    private var begun = 0

    /// Registers the start of a command; returns its number for `end`.
    mutating func begin() -> Int {
        begun += 1
        underWay[begun] = []
        return begun
    }

    /// Registers the end of a command; returns the addresses changed by other commands meanwhile.
    mutating func end(_ number: Int) -> Set<String> { underWay.removeValue(forKey: number) ?? [] }

    private mutating func tell(_ step: Step) {
        for number in underWay.keys { underWay[number]?.formUnion(step.difference.changes.keys) }
    }

    /// Adds a step; clears the steps for redo.
    mutating func note(_ step: Step) {
        guard !step.difference.told.isEmpty else { return }
        tell(step)
        noted += 1
        undone = []
        if let property = step.property, let after = step.difference.chains?.after, var last = done.last,
            last.property == property, last.scene == step.scene, step.time - last.time < Self.gesture
        {
            last.difference.chains?.after = after
            last.time = step.time
            done[done.count - 1] = last
            return
        }
        if let last = done.last, last.difference.chains == nil, step.difference.chains == nil,
            last.scene == step.scene, step.time - last.time < Self.gesture,
            Set(last.difference.told.changes.keys) == Set(step.difference.told.changes.keys)
        {
            var gesture = last
            gesture.difference.append(step.difference)
            gesture.time = step.time
            // A value changed and changed back is no step.
            if gesture.difference.told.isEmpty { done.removeLast() } else { done[done.count - 1] = gesture }
            return
        }
        done.append(step)
        if done.count > Self.capacity { done.removeFirst() }
    }

    /// Returns the next step of a request; nil without one.
    func next(_ request: SessionCommand.History) -> Step? { (request == .undo ? done : undone).last }

    /// Removes and returns the next step; nil without one. While its undo or redo is in progress, the step cannot be
    /// dropped. `put` adds it again.
    mutating func take(_ request: SessionCommand.History) -> Step? {
        request == .undo ? done.popLast() : undone.popLast()
    }

    /// Adds a step after its undo or redo.
    ///
    /// - Parameter noted: value of `noted` when the step was taken. If a newer step was noted since, the undone step
    ///   cannot be redone and is dropped.
    mutating func put(_ step: Step, after request: SessionCommand.History, noted: Int) {
        tell(step)
        if request == .redo { return done.append(step) }
        if noted == self.noted { undone.append(step) }
    }

    /// Drops the steps of a removed scene.
    mutating func forget(scene: Int) {
        done.removeAll { $0.scene == scene }
        undone.removeAll { $0.scene == scene }
    }

    /// Drops all steps, at the session's end.
    mutating func clear() { (done, undone) = ([], []) }
}
