import Signal
import Synchronization

extension JACKClient {
    /// Copies all inputs of the heard part and both outputs into a tap (a ring buffer) that has a channel for each of
    /// them. Call after `activate`. A tap with another number of channels gets no sound.
    package func attach(_ tap: ThreadOwned<SoundTap>) {
        state.withLock { state in
            guard let context = state.context else { return }
            context.pointee.cycle.setSoundTap(tap.pointer)
        }
    }

    /// Removes the tap from the audio thread and waits until no cycle uses it. Returns false if the server is gone or
    /// hangs: a cycle may still use the tap, which must then not be freed.
    package func detachSoundTap() -> Bool {
        let (context, mayStillCycle) = state.withLock { state in
            state.context?.pointee.cycle.setSoundTap(nil)
            // This counts as a call to libjack, so the context is kept if another thread closes the client meanwhile.
            questions.begin()
            return (state.context, state.mayStillCycle)
        }
        defer { questions.end() }
        // A closed client has no audio thread, unless libjack hung while closing it.
        return context.map(Self.isPastCycle) ?? !mayStillCycle
    }
}
