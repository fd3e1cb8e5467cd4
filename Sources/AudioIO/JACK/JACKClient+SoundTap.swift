import Signal
import Synchronization

extension JACKClient {
    /// Has all inputs of the part that is heard and both ears left in a tap with a channel for each; after `activate`.
    /// A tap of another number of channels is left alone.
    package func attach(_ tap: ThreadOwned<SoundTap>) {
        state.withLock { state in
            guard let context = state.context else { return }
            context.pointee.cycle.setSoundTap(tap.pointer)
        }
    }

    /// Takes the tap off the audio thread and waits until no cycle uses it. False: that could not be made sure of (the
    /// server hangs), and the tap must not be freed.
    package func detachSoundTap() -> Bool {
        let (context, mayStillCycle) = state.withLock { state in
            state.context?.pointee.cycle.setSoundTap(nil)
            // A client that is closed meanwhile keeps its context until this is over.
            questions.begin()
            return (state.context, state.mayStillCycle)
        }
        defer { questions.end() }
        // A closed client has no audio thread any more, unless libjack did not let go of it.
        return context.map(Self.isPastCycle) ?? !mayStillCycle
    }
}
