import Signal
import Synchronization

/// Plays a sound file as a JACK client of its own, from a given frame of the server's clock.
///
/// The whole file is in memory, so that no frame is late, even in freewheel. For demonstrations and tests.
package final class JACKPlayer: Sendable {
    /// The server's sample rate, equal to the file's.
    package let sampleRate: SampleRate
    private let outputs: JACKOutputs
    private let programme: ThreadOwned<HeldProgramme>

    /// Reads the file and opens the client, silent until `play`.
    package init(path: String, name: String = "player") throws {
        // Errors of the file occur before the client exists.
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
        // The audio thread of a server that hangs may resume: its programme is kept until the process ends.
        guard outputs.close() else { return }
        programme.deallocate()
    }

    /// The server's present frame clock, estimated.
    package var frameTime: UInt32 { outputs.frameTime }

    /// Whether the server is gone.
    package var serverIsGone: Bool { outputs.serverIsGone }

    /// Connects the outputs in order to the audio inputs of another client, up to the smaller number.
    package func connect(to other: String) throws(JACKError) { try outputs.connect(to: other) }

    /// Sets a sleep in every cycle, in microseconds. In freewheel PipeWire does not wait for late clients: the sleep
    /// gives them time.
    package func pause(inEachCycle microseconds: UInt32) { outputs.pause(inEachCycle: microseconds) }

    /// Repeats the file without end, for up to half a day.
    package func loop() { programme.pointee.loops.store(true, ordering: .relaxed) }

    /// Starts the file at a frame of the server's clock; silent until then.
    package func play(atFrame frame: UInt32) {
        programme.pointee.begin.store(1 << 63 | UInt64(frame), ordering: .releasing)
    }
}
