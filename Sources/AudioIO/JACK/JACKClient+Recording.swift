import Signal
import Synchronization
import Takes

/// Recordings of the outputs.
extension JACKClient {
    /// Records the outputs into a file. The recording begins now or, if `waitsForStart` is true, with the next stream
    /// start. There is one recording at a time; an earlier one that was not stopped is discarded. If `replaces` is
    /// true, an existing file is replaced at the end; otherwise it is an error.
    package func record(
        to path: String, encoding: SampleEncoding? = nil, waitsForStart: Bool = false, replaces: Bool = false
    ) throws(SoundFileError) {
        let recorder = try Recorder(
            path: path, sampleRate: sampleRate, encoding: encoding, waitsForStart: waitsForStart, replaces: replaces)
        // The earlier recorder's tap must be removed from the audio thread before it is freed.
        discardRecording()
        state.withLock { state in
            state.recorder = recorder
            state.context?.pointee.cycle.setTap(recorder.tap.pointer)
        }
    }

    /// Present recorder, or one whose recording ended early; nil without a recorder.
    package var recorder: Recorder? { state.withLock { $0.recorder } }

    /// Discards the recording and its file, for example after a failed start of the session.
    package func discardRecording() {
        detachRecorder()?.discard()
    }

    /// Completes the recording, with a timeout of a minute for the disk. Returns nil without a recording.
    package func stopRecording(whenSlow: (String) -> Void) throws(SoundFileError) -> Recorder.Summary? {
        try stopRecording(within: TakeFile.patience, whenSlow: whenSlow)
    }

    func stopRecording(
        within seconds: Double, whenSlow: (String) -> Void = { _ in }
    ) throws(SoundFileError) -> Recorder.Summary? {
        guard let recorder = detachRecorder() else { return nil }
        return try recorder.finish(within: seconds, whenSlow: whenSlow)
    }

    /// Removes the recorder from the audio thread. If a cycle may still use the recorder's tap, the recorder is
    /// retained until the client is closed.
    private func detachRecorder() -> Recorder? {
        let (recorder, context) = state.withLock { state in
            let found = state.recorder
            state.recorder = nil
            state.context?.pointee.cycle.setTap(nil)
            // This counts as a call to libjack, so the context is kept if another thread closes the client meanwhile.
            questions.begin()
            return (found, state.context)
        }
        defer { questions.end() }
        if let recorder, let context, !Self.isPastCycle(context) { state.withLock { $0.held.append(recorder) } }
        return recorder
    }

    /// Waits until no cycle that began before the call can still run, for at most half a second. Returns false if the
    /// server is gone or hangs, because it then runs no cycles. Data that such a cycle may use must then not be freed.
    static func isPastCycle(_ context: ThreadOwned<JACKContext>) -> Bool {
        CycleWait.passes(context.pointee.cycleCount, within: 500)
    }
}
