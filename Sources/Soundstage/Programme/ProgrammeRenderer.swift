import Geometry
import Signal
import Synchronization

/// The owner of a programme's stage: makes it, tells it what is asked for, hears what it does, frees it.
///
/// The stage behind `handle` belongs to the audio thread; controls and states cross by mailboxes, whose other sides
/// `requested` and `seen` guard. Must outlive every call of the graph it is a member of.
package final class ProgrammeRenderer: Sendable {
    /// What it was made of.
    package let programme: Programme
    /// What the audio thread works with.
    package let handle: ThreadOwned<ProgrammeStage>
    /// Frames by which its sound comes later than it was delivered.
    package let latencyFrames: Int
    /// Where what both renditions deliver is left to be compared; nil unless there are two.
    package let tap: ThreadOwned<RenditionTap>?
    /// The rate it works at.
    package let sampleRate: SampleRate
    private let mailbox: LatestValue<ProgrammeControls>
    private let states: LatestValue<ProgrammeState>
    private let requested: Mutex<ProgrammeControls>
    private let seen = Mutex(ProgrammeState())

    /// A programme at rest; `controls` are in force from its first frame.
    package init(
        _ programme: Programme, controls: ProgrammeControls, sampleRate: SampleRate,
        inserts: ProgrammeInserts? = nil
    ) throws(UpmixError) {
        mailbox = LatestValue(controls)
        states = LatestValue(ProgrammeState())
        tap =
            programme.hasBothRenditions
            ? ThreadOwned(RenditionTap(inputCount: programme.inputCount, sampleRate: sampleRate)) : nil
        let stage: ProgrammeStage
        do throws(UpmixError) {
            stage = try ProgrammeStage(
                programme, sampleRate: sampleRate, mailbox: mailbox, states: states, tap: tap?.pointer,
                inserts: inserts)
        } catch {
            tap?.deallocate()
            mailbox.deallocate()
            states.deallocate()
            throw error
        }
        latencyFrames = stage.latencyFrames
        self.programme = programme
        requested = Mutex(controls)
        self.sampleRate = sampleRate
        handle = ThreadOwned(stage)
    }

    deinit {
        handle.deallocate()
        tap?.deallocate()
        mailbox.deallocate()
        states.deallocate()
    }

    /// What is asked for.
    package var controls: ProgrammeControls { requested.withLock { $0 } }

    /// Asks for something else. Any thread but the audio thread.
    package func change(_ change: (inout ProgrammeControls) -> Void) {
        requested.withLock {
            let serial = $0.serial
            change(&$0)
            $0.serial = serial &+ 1
            mailbox.store($0)
        }
    }

    /// Tells how the renditions compare, unasked. Any thread but the audio thread.
    package func tell(_ match: RenditionMatch) {
        requested.withLock {
            $0.renditions.match = match
            mailbox.store($0)
        }
    }

    /// What the programme did in the newest slice. Any thread but the audio thread.
    package var state: ProgrammeState { seen.withLock { _ in states.load() } }
}
