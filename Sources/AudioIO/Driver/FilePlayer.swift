import Signal
import Synchronization

/// A client of an audio server that has outputs alone, `out_1`, `out_2` and so on. Calls may come from any thread but
/// the audio thread.
protocol PlayerOutputs: AnyObject, Sendable {
    /// The name the server gave.
    var name: String { get }
    /// The server's rate.
    var hertz: Double { get }
    /// Whether the server went away.
    var serverIsGone: Bool { get }
    /// Registers the ports and plays from now on. Once only.
    func start(_ sound: PlayedSound, channels: Int) throws(JACKError)
    /// Leaves the server; false where that takes longer than some seconds, and what is played may yet be used.
    func close() -> Bool
    /// Connects the outputs in order to the audio inputs of another client, in their order, as far as both go.
    func connect(to other: String) throws(JACKError)
    /// The first frame of the cycle that begins at least so many seconds from now.
    func cycle(after seconds: Double) -> UInt32
}

/// Plays sound files as a client of an audio server, from disk, in constant memory, at the server's rate whatever
/// theirs.
///
/// It seeks, pauses and changes its gain without clicks; frames that come too late live are silence, counted and told;
/// in freewheel they are waited for, so that the same samples come out as if there were all the time in the world.
/// Calls may come from any thread but the audio thread.
package final class FilePlayer: Sendable {
    /// How it goes.
    package struct Status: Sendable, Equatable {
        /// The file that plays, by its place in the list.
        package var file: Int
        /// Seconds into it, and its length in seconds.
        package var seconds: Double, duration: Double
        /// Whether the user paused it.
        package var isPaused: Bool
        /// Whether the last file was played to its end.
        package var hasEnded: Bool
        /// Gain in dB.
        package var gain: Double
        /// Times that the file could not be read in time, and the frames of silence that made.
        package var underruns: Int, missedFrames: Int
        /// Samples that were not finite and were silenced.
        package var nonFiniteSamples: Int
    }

    /// The server's rate.
    package let sampleRate: SampleRate
    private let reader: PlaybackReader
    private let outputs: any PlayerOutputs

    /// Opens files with as many channels each; it plays silence until `play`, then from `seconds` into the file at
    /// `firstFile` on.
    init(
        _ entries: [PlaylistEntry], firstFile: Int, seconds: Double, through outputs: any PlayerOutputs
    ) throws {
        guard let rate = SampleRate(hertz: outputs.hertz) else {
            throw JACKError.wrongSampleRate(server: outputs.hertz, wanted: SampleRate.studio.hertz)
        }
        sampleRate = rate
        self.outputs = outputs
        reader = try PlaybackReader(entries, rate: rate, firstFile: firstFile, seconds: seconds)
        try outputs.start(.queued(reader.queue), channels: reader.queue.pointee.channelCount)
    }

    deinit {
        // In freewheel the audio thread may wait for the reader, which gives up now.
        reader.stop()
        // Where the server hangs, its audio thread may yet come back: what it plays from is left to the process's end.
        if !outputs.close() { _ = Unmanaged.passRetained(reader) }
    }

    /// The name the server gave.
    package var name: String { outputs.name }

    /// Whether the server went away.
    package var serverIsGone: Bool { outputs.serverIsGone }

    /// Why reading ended early; nil while all is well.
    package var failure: SoundFileError? { reader.failure }

    /// Connects the outputs in order to the audio inputs of another client, in their order, as far as both go.
    package func connect(to other: String) throws(JACKError) { try outputs.connect(to: other) }

    /// The first frame of the cycle that begins at least so many seconds from now. What begins with a cycle is rendered
    /// in the same pieces live and offline.
    package func cycle(after seconds: Double) -> UInt32 { outputs.cycle(after: seconds) }

    /// Lets the first file begin at a frame of the server's clock; silence until then.
    package func play(atFrame frame: UInt32) {
        reader.queue.pointee.begin.store(1 << 63 | UInt64(frame), ordering: .releasing)
    }

    /// Pauses or goes on, each with a fade of 10 ms.
    package func pause(_ isPaused: Bool) { reader.queue.pointee.isPaused.store(isPaused, ordering: .relaxed) }

    /// Continues at a place: out and in with fades of 10 ms.
    package func jump(toFile file: Int, seconds: Double) { reader.jump(toFile: file, seconds: seconds) }

    /// Sets the gain in dB; it ramps over a period.
    package func setGain(_ gain: Decibels) {
        let amplitude: Float = gain.value == 0 ? 1 : Float(gain.amplitude)
        reader.queue.pointee.gain.store(amplitude.bitPattern, ordering: .relaxed)
    }

    /// Lets the list of files begin again when it ends, without a gap.
    package func setLoop(_ loops: Bool) { reader.loops = loops }

    /// How it goes now.
    package var status: Status {
        let (place, queue) = (reader.position, reader.queue)
        let gain = Double(Float(bitPattern: queue.pointee.gain.load(ordering: .relaxed)))
        return Status(
            file: place.file, seconds: sampleRate.seconds(frames: place.frame),
            duration: sampleRate.seconds(frames: place.length),
            isPaused: queue.pointee.isPaused.load(ordering: .relaxed),
            hasEnded: queue.pointee.hasEnded.load(ordering: .acquiring),
            gain: Decibels(amplitude: gain).value, underruns: queue.pointee.underruns.load(ordering: .relaxed),
            missedFrames: queue.pointee.missedFrames.load(ordering: .relaxed),
            nonFiniteSamples: reader.nonFiniteSamples)
    }
}
