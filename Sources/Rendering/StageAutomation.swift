import Signal
import Soundstage

/// Something that was asked of a stage, and the stream frame from which it was in force: on the audio thread's way out
/// a record, on its way in a line of an automation that is played again.
package struct StageChange: BitwiseCopyable, Sendable {
    /// What was asked of.
    package enum Part: Hashable, BitwiseCopyable, Sendable {
        /// A programme, by its place.
        case programme
        /// The room: whether it is to be heard.
        case room
        /// The headphones' equalisation, likewise.
        case headphones
    }
    /// Which of them.
    package var part: Part
    /// The programme's place; unused for all else.
    package var programme: Int
    /// Stream frame of a slice's beginning.
    package var frame: Int
    /// All that is asked of the programme; unused for all else.
    package var controls: ProgrammeControls
    /// Whether room or equalisation are to be heard; unused for programmes.
    package var isOn: Bool
    /// Whether the stream begins with it.
    package var isStart: Bool

    /// What is asked of a programme.
    @_noLocks
    package init(programme: Int, controls: ProgrammeControls, frame: Int, isStart: Bool = false) {
        (part, self.programme, self.controls, self.frame) = (.programme, programme, controls, frame)
        (isOn, self.isStart) = (false, isStart)
    }

    /// Whether room or equalisation (`part`) are to be heard; `filling` is any programme's controls.
    @_noLocks
    package init(
        _ part: Part, isOn: Bool, filling controls: ProgrammeControls, frame: Int, isStart: Bool = false
    ) {
        (self.part, programme, self.controls, self.frame) = (part, -1, controls, frame)
        (self.isOn, self.isStart) = (isOn, isStart)
    }
}

/// Changes that are played again at their frames. Made off the audio thread, used by it alone.
struct StageAutomation: ~Copyable {
    private let changes: UnsafeMutablePointer<StageChange>
    private let count: Int
    private var next = 0

    /// An automation of changes in the order of their frames.
    init(_ list: [StageChange]) {
        count = list.count
        changes = .allocate(capacity: max(1, count))
        for (index, change) in list.enumerated() { (changes + index).initialize(to: change) }
    }

    deinit { changes.deallocate() }

    /// Begins again.
    @_noLocks
    mutating func restart() { next = 0 }

    /// The next change that is due at the slice beginning at `frame`; nil where there is none (left).
    @_noLocks
    mutating func take(upTo frame: Int) -> UnsafePointer<StageChange>? {
        guard next < count, changes[next].frame <= frame else { return nil }
        next += 1
        return UnsafePointer(changes + next - 1)
    }
}
