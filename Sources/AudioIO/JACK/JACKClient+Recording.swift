import Signal
import Synchronization

/// Recordings of the outputs.
extension JACKClient {
    /// Records the outputs into a file, from now or from the next stream start on. One recording at a time: a former
    /// one that was not stopped is discarded. `replaces`: a file of that name is replaced in the end; else that is an
    /// error.
    package func record(
        to path: String, encoding: SampleEncoding? = nil, waitsForStart: Bool = false, replaces: Bool = false
    ) throws(SoundFileError) {
        let recorder = try Recorder(
            path: path, sampleRate: sampleRate, encoding: encoding, waitsForStart: waitsForStart, replaces: replaces)
        // A former recorder is waited off the audio thread before its queue may go.
        discardRecording()
        state.withLock { state in
            state.recorder = recorder
            state.context?.pointee.cycle.setTap(recorder.tap.pointer)
        }
    }

    /// What records at the moment, or ended early.
    package var recorder: Recorder? { state.withLock { $0.recorder } }

    /// Removes the recording, as where the session it belongs to could not begin.
    package func discardRecording() {
        detachRecorder()?.discard()
    }

    /// Completes the recording, waiting ten seconds for the disk; nil where there is none.
    package func stopRecording() throws(SoundFileError) -> Recorder.Summary? { try stopRecording(within: 10) }

    func stopRecording(within seconds: Double) throws(SoundFileError) -> Recorder.Summary? {
        guard let recorder = detachRecorder() else { return nil }
        return try recorder.finish(within: seconds)
    }

    /// Takes the recorder off the audio thread. Where a cycle may still use its tap,
    /// it is kept until there can be none.
    private func detachRecorder() -> Recorder? {
        let (recorder, context) = state.withLock { state in
            let found = state.recorder
            state.recorder = nil
            state.context?.pointee.cycle.setTap(nil)
            // A client that is closed meanwhile keeps its context until this is over.
            questions.begin()
            return (found, state.context)
        }
        defer { questions.end() }
        if let recorder, let context, !Self.isPastCycle(context) { state.withLock { $0.held.append(recorder) } }
        return recorder
    }

    /// Waits until no cycle that began before now can still run, half a second at most. A server that is gone or hangs
    /// runs none: false, and what such a cycle may use must not be freed.
    static func isPastCycle(_ context: ThreadOwned<JACKContext>) -> Bool {
        CycleWait.passes(context.pointee.cycleCount, within: 500)
    }
}
