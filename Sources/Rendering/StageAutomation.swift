import Signal
import Soundstage

/// A change of a stage's controls, and the stream frame from which it applies. The audio thread records changes; an
/// automation replays them.
package struct StageChange: BitwiseCopyable, Sendable {
    /// Part of a stage.
    package enum Part: Hashable, BitwiseCopyable, Sendable {
        /// A programme, by its number.
        case programme
        /// The room: on or off.
        case room
        /// The headphone equalisation: on or off.
        case headphones
    }
    /// Changed part.
    package var part: Part
    /// Number of the programme; unused for other parts.
    package var programme: Int
    /// Stream frame of a slice's beginning.
    package var frame: Int
    /// All controls of the programme; unused for other parts.
    package var controls: ProgrammeControls
    /// Whether room or equalisation is on; unused for programmes.
    package var isOn: Bool
    /// Whether the stream begins with it.
    package var isStart: Bool

    /// Holds the controls of a programme.
    @_noLocks
    package init(programme: Int, controls: ProgrammeControls, frame: Int, isStart: Bool = false) {
        (part, self.programme, self.controls, self.frame) = (.programme, programme, controls, frame)
        (isOn, self.isStart) = (false, isStart)
    }

    /// Holds the switch of room or equalisation (`part`); `filling` is any programme's controls.
    @_noLocks
    package init(
        _ part: Part, isOn: Bool, filling controls: ProgrammeControls, frame: Int, isStart: Bool = false
    ) {
        (self.part, programme, self.controls, self.frame) = (part, -1, controls, frame)
        (self.isOn, self.isStart) = (isOn, isStart)
    }
}

/// Changes that are replayed at their frames. Made off the audio thread, used by it alone.
struct StageAutomation: ~Copyable {
    private let changes: UnsafeMutablePointer<StageChange>
    private let count: Int
    private var next = 0

    /// Copies changes in the order of their frames.
    init(_ list: [StageChange]) {
        count = list.count
        changes = .allocate(capacity: max(1, count))
        for (index, change) in list.enumerated() { (changes + index).initialize(to: change) }
    }

    deinit { changes.deallocate() }

    /// Restarts with the first change.
    @_noLocks
    mutating func restart() { next = 0 }

    /// Returns the next change that is due in the slice beginning at `frame`; nil without one.
    @_noLocks
    mutating func take(upTo frame: Int) -> UnsafePointer<StageChange>? {
        guard next < count, changes[next].frame <= frame else { return nil }
        next += 1
        return UnsafePointer(changes + next - 1)
    }
}
