import Signal
import Synchronization

/// Client of an audio server that has only outputs: `out_1`, `out_2` and so on. Calls may come from any thread except
/// the audio thread.
protocol PlayerOutputs: AnyObject, Sendable {
    /// Name assigned by the server.
    var name: String { get }
    /// The server's sample rate, Hz.
    var hertz: Double { get }
    /// Whether the server is gone.
    var serverIsGone: Bool { get }
    /// Registers the ports and starts the audio thread, which plays `sound`. Call once.
    func start(_ sound: PlayedSound, channels: Int) throws(JACKError)
    /// Closes the client. Returns false if the server does not respond within some seconds; the sound may then still be
    /// in use.
    func close() -> Bool
    /// Connects the outputs, in order, to the audio inputs of another client, until one of the two lists ends.
    func connect(to other: String) throws(JACKError)
    /// Returns the first frame of the cycle that begins at least `seconds` seconds from now.
    func cycle(after seconds: Double) -> UInt32
}

/// Plays sound files from disk as a client of an audio server. Needs constant memory. Converts to the server's rate.
///
/// Seeking, pauses and gain changes cause no clicks. In real time, frames that are read too late are replaced by
/// silence and counted. In freewheel the player waits for such frames, so that the output has no gaps. Calls may come
/// from any thread except the audio thread.
package final class FilePlayer: Sendable {
    /// Status of the playback.
    package struct Status: Sendable, Equatable {
        /// Index of the playing file in the list.
        package var file: Int
        /// Position in the file, and duration of the file, seconds.
        package var seconds: Double, duration: Double
        /// Whether the user has paused playback.
        package var isPaused: Bool
        /// Whether playback has reached its end: the end of the last file or, after a failure of the reading, the end
        /// of what was read.
        package var hasEnded: Bool
        /// Gain, dB.
        package var gain: Double
        /// Number of late reads, and number of frames of silence that they caused.
        package var underruns: Int, missedFrames: Int
        /// Number of samples that were not finite or too large, and were replaced.
        package var nonFiniteSamples: Int
    }

    /// The server's sample rate.
    package let sampleRate: SampleRate
    private let reader: PlaybackReader
    private let outputs: any PlayerOutputs

    /// Opens files with equal numbers of channels. The player is silent until `play`. Playback begins in the file with
    /// the index `firstFile`, `seconds` seconds after the start of this file.
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
        // In freewheel the audio thread may wait for the reader. Stopping the reader ends that wait.
        reader.stop()
        // If the server hangs, its audio thread may resume later. The reader is then kept until the process ends.
        if !outputs.close() { _ = Unmanaged.passRetained(reader) }
    }

    /// Name assigned by the server.
    package var name: String { outputs.name }

    /// Whether the server is gone.
    package var serverIsGone: Bool { outputs.serverIsGone }

    /// Error that ended the reading early; nil without an error.
    package var failure: SoundFileError? { reader.failure }

    /// Connects the outputs, in order, to the audio inputs of another client, until one of the two lists ends.
    package func connect(to other: String) throws(JACKError) { try outputs.connect(to: other) }

    /// Returns the first frame of the cycle that begins at least `seconds` seconds from now. A start at a cycle's first
    /// frame gives the same blocks live and offline.
    package func cycle(after seconds: Double) -> UInt32 { outputs.cycle(after: seconds) }

    /// Starts playback at a frame of the server's clock. The output is silent until then.
    package func play(atFrame frame: UInt32) {
        reader.queue.pointee.begin.store(1 << 63 | UInt64(frame), ordering: .releasing)
    }

    /// Pauses or resumes, with a fade of 480 frames (10 ms at 48 kHz).
    package func pause(_ isPaused: Bool) { reader.queue.pointee.isPaused.store(isPaused, ordering: .relaxed) }

    /// Jumps to a position, with fades of 480 frames out and in.
    package func jump(toFile file: Int, seconds: Double) { reader.jump(toFile: file, seconds: seconds) }

    /// Sets the gain, dB. The amplitude changes linearly within one period.
    package func setGain(_ gain: Decibels) {
        let amplitude: Float = gain.value == 0 ? 1 : Float(gain.amplitude)
        reader.queue.pointee.gain.store(amplitude.bitPattern, ordering: .relaxed)
    }

    /// Sets whether the list of files repeats, without a gap.
    package func setLoop(_ loops: Bool) { reader.loops = loops }

    /// Status of the playback at this moment.
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
