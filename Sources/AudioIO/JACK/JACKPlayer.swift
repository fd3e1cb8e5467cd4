import Signal
import Synchronization

/// Plays a sound file as a JACK client of its own, its first frame at a given frame of the server's clock.
///
/// The whole file is held in memory, so that in freewheel too no frame is ever late; made for demonstrations and tests.
package final class JACKPlayer: Sendable {
    /// The server's rate, which is the file's.
    package let sampleRate: SampleRate
    private let outputs: JACKOutputs
    private let programme: ThreadOwned<HeldProgramme>

    /// Reads the file and opens the client; it plays silence until `play`.
    package init(path: String, name: String = "player") throws {
        // All that can fail of the file fails before there is a client.
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
        // Where the server hangs, its audio thread may yet come back: what it plays from is left to the process's end.
        guard outputs.close() else { return }
        programme.deallocate()
    }

    /// The server's frame clock now, estimated.
    package var frameTime: UInt32 { outputs.frameTime }

    /// Whether the server went away.
    package var serverIsGone: Bool { outputs.serverIsGone }

    /// Connects the outputs in order to the audio inputs of another client, in their order, as far as both go.
    package func connect(to other: String) throws(JACKError) { try outputs.connect(to: other) }

    /// Sleeps so many microseconds in every cycle. In freewheel PipeWire does not wait for a client that is late: this
    /// gives the others time.
    package func pause(inEachCycle microseconds: UInt32) { outputs.pause(inEachCycle: microseconds) }

    /// Lets the file begin again whenever it ends, for up to half a day.
    package func loop() { programme.pointee.loops.store(true, ordering: .relaxed) }

    /// Lets the file begin at a frame of the server's clock; silence until then.
    package func play(atFrame frame: UInt32) {
        programme.pointee.begin.store(1 << 63 | UInt64(frame), ordering: .releasing)
    }
}
