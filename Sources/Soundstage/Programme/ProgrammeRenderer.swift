import Geometry
import Signal
import Synchronization

/// Owner of a `ProgrammeStage`: makes the stage, passes controls to it, reads its state, and frees it.
///
/// The stage behind `handle` belongs to the audio thread. Controls and states pass through mailboxes. The locks
/// `requested` and `seen` protect the ends of the mailboxes that all other threads use. The renderer must outlive every
/// call on the audio thread that uses the stage.
package final class ProgrammeRenderer: Sendable {
    /// The programme from which the stage was made.
    package let programme: Programme
    /// Handle of the stage, for the audio thread.
    package let handle: ThreadOwned<ProgrammeStage>
    /// Latency from input to feeds, frames.
    package let latencyFrames: Int
    /// Queue of the sound of both renditions, for their comparison; nil if the programme does not have both.
    package let tap: ThreadOwned<RenditionTap>?
    /// Sample rate.
    package let sampleRate: SampleRate
    private let mailbox: LatestValue<ProgrammeControls>
    private let states: LatestValue<ProgrammeState>
    private let requested: Mutex<ProgrammeControls>
    private let seen = Mutex(ProgrammeState())

    /// Makes a programme at rest. `controls` are in force from its first frame.
    package init(
        _ programme: Programme, controls: ProgrammeControls, sampleRate: SampleRate,
        inserts: ProgrammeInserts? = nil
    ) throws(UpmixError) {
        mailbox = LatestValue(controls)
        states = LatestValue(ProgrammeState())
        tap =
            programme.hasBothRenditions
            ? ThreadOwned(RenditionTap(inputCount: programme.inputCount, sampleRate: sampleRate)) : nil
        let renditions: UnsafeMutablePointer<RenditionSwitch>?
        do throws(UpmixError) {
            // The switch between the renditions is made before the stage. If this fails, there is no stage to be freed.
            renditions = try ProgrammeStage.renditions(of: programme, sampleRate: sampleRate, tap: tap?.pointer)
        } catch {
            tap?.deallocate()
            mailbox.deallocate()
            states.deallocate()
            throw error
        }
        let stage = ProgrammeStage(
            programme, sampleRate: sampleRate, mailbox: mailbox, states: states, renditions: renditions,
            inserts: inserts)
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

    /// The requested controls.
    package var controls: ProgrammeControls { requested.withLock { $0 } }

    /// Requests other controls. May be called on any thread except the audio thread.
    package func change(_ change: (inout ProgrammeControls) -> Void) {
        requested.withLock {
            let serial = $0.serial
            change(&$0)
            $0.serial = serial &+ 1
            mailbox.store($0)
        }
    }

    /// Sets the measured match of the renditions. It does not count as a request. May be called on any thread except
    /// the audio thread.
    package func tell(_ match: RenditionMatch) {
        requested.withLock {
            $0.renditions.match = match
            mailbox.store($0)
        }
    }

    /// State of the programme in the newest slice. May be called on any thread except the audio thread.
    package var state: ProgrammeState { seen.withLock { _ in states.load() } }
}
