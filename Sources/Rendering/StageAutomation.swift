import Signal
import Soundstage

/// A change of a stage's controls, with the stream frame from which it applies. The audio thread records changes. A
/// `StageAutomation` replays them.
package struct StageChange: BitwiseCopyable, Sendable {
    /// Parts of a stage whose controls can change.
    package enum Part: Hashable, BitwiseCopyable, Sendable, CaseIterable {
        /// A programme, given by its index.
        case programme
        /// The room: on or off.
        case room
        /// The headphone equalisation: on or off.
        case headphones
        /// The switches of the virtual loudspeakers.
        case loudspeakers
    }
    /// The changed part.
    package var part: Part
    /// Index of the programme; −1 for other parts.
    package var programme: Int
    /// Stream frame from which the change applies. A slice begins at this frame.
    package var frame: Int
    /// All controls of the programme. For other parts they have no meaning.
    package var controls: ProgrammeControls
    /// Whether the room or the equalisation is on. For other parts it has no meaning.
    package var isOn: Bool
    /// Switches of the loudspeakers. For other parts they have no meaning.
    package var switches: LoudspeakerSwitches
    /// Whether the record describes the state at the stream's beginning.
    package var isStart: Bool

    /// Makes the record of a programme's controls.
    @_noLocks
    package init(programme: Int, controls: ProgrammeControls, frame: Int, isStart: Bool = false) {
        (part, self.programme, self.controls, self.frame) = (.programme, programme, controls, frame)
        (isOn, self.isStart, switches) = (false, isStart, LoudspeakerSwitches())
    }

    /// Makes the record of a switch: `part` is the room or the equalisation. `controls` has no meaning here, and may be
    /// the controls of any programme.
    @_noLocks
    package init(
        _ part: Part, isOn: Bool, filling controls: ProgrammeControls, frame: Int, isStart: Bool = false
    ) {
        (self.part, programme, self.controls, self.frame) = (part, -1, controls, frame)
        (self.isOn, self.isStart, switches) = (isOn, isStart, LoudspeakerSwitches())
    }

    /// Makes the record of the loudspeakers' switches. `controls` has no meaning here, and may be the controls of any
    /// programme.
    @_noLocks
    package init(
        _ switches: LoudspeakerSwitches, filling controls: ProgrammeControls, frame: Int, isStart: Bool = false
    ) {
        (part, programme, self.controls, self.frame) = (.loudspeakers, -1, controls, frame)
        (isOn, self.isStart, self.switches) = (false, isStart, switches)
    }
}

/// Changes that are replayed at their frames. The value is made on another thread; only the audio thread uses it.
struct StageAutomation: ~Copyable {
    private let changes: UnsafeMutablePointer<StageChange>
    private let count: Int
    private var next = 0

    /// Copies changes, which must be in the order of their frames.
    init(_ list: [StageChange]) {
        count = list.count
        changes = .allocate(capacity: max(1, count))
        for (index, change) in list.enumerated() { (changes + index).initialize(to: change) }
    }

    deinit { changes.deallocate() }

    /// Restarts the replay at the first change.
    @_noLocks
    mutating func restart() { next = 0 }

    /// Returns the next change whose frame is at most `frame`; nil if none is due.
    @_noLocks
    mutating func take(upTo frame: Int) -> UnsafePointer<StageChange>? {
        guard next < count, changes[next].frame <= frame else { return nil }
        next += 1
        return UnsafePointer(changes + next - 1)
    }
}
