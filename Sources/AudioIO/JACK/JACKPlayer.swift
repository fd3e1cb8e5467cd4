import Signal
import Synchronization

/// Plays a sound file as a separate JACK client, from a given frame of the server's clock.
///
/// The whole file is in memory, so that no frame is late, even in freewheel. The player is for demonstrations and
/// tests.
package final class JACKPlayer: Sendable {
    /// Sample rate of the server and of the file.
    package let sampleRate: SampleRate
    private let outputs: JACKOutputs
    private let programme: ThreadOwned<HeldProgramme>

    /// Reads the file and opens the client. The client is silent until `play`.
    package init(path: String, name: String = "player") throws {
        // Errors of the file are thrown before the client exists.
        let reader = try SoundFileReader(path: path)
        let samples = PlanarBlock(channels: reader.channelCount, frames: reader.frameCount)
        _ = try reader.read(into: samples, frames: reader.frameCount)
        outputs = try JACKOutputs(name: name)
        guard outputs.hertz == reader.sampleRate.hertz else {
            throw JACKError.wrongSampleRate(server: outputs.hertz, wanted: reader.sampleRate.hertz)
        }
        sampleRate = reader.sampleRate
        programme = ThreadOwned(HeldProgramme(samples, frameCount: reader.frameCount))
        try outputs.start(.held(programme), channels: reader.channelCount)
    }

    deinit {
        // If the server hangs, its audio thread may resume later. The programme is then kept until the process ends.
        guard outputs.close() else { return }
        programme.deallocate()
    }

    /// Estimate of the server's present frame clock.
    package var frameTime: UInt32 { outputs.frameTime }

    /// Whether the server is gone.
    package var serverIsGone: Bool { outputs.serverIsGone }

    /// Connects the outputs, in order, to the audio inputs of another client, until one of the two lists ends.
    package func connect(to other: String) throws(JACKError) { try outputs.connect(to: other) }

    /// Sets the time to sleep in every cycle, microseconds. In freewheel PipeWire does not wait for late clients. The
    /// sleep gives these clients time.
    package func pause(inEachCycle microseconds: UInt32) { outputs.pause(inEachCycle: microseconds) }

    /// Repeats the file for up to 2³¹ frames, 12 hours at 48 kHz.
    package func loop() { programme.pointee.loops.store(true, ordering: .relaxed) }

    /// Starts the file at a frame of the server's clock. The output is silent until then.
    package func play(atFrame frame: UInt32) {
        programme.pointee.begin.store(1 << 63 | UInt64(frame), ordering: .releasing)
    }
}
