import Signal
import Synchronization

/// A client of an audio server that plays sound files from disk, at the server's rate whatever theirs; its ports are `out_1`,
/// `out_2` and so on. Calls may come from any thread but the audio thread.
package protocol FilePlayer: AnyObject, Sendable {
    /// The name the server gave.
    var name: String { get }
    /// The server's rate.
    var sampleRate: SampleRate { get }
    /// Whether the server went away.
    var serverIsGone: Bool { get }
    /// Why reading ended early; nil while all is well.
    var failure: SoundFileError? { get }
    /// How it goes now.
    var status: JACKFilePlayer.Status { get }

    /// Connects the outputs in order to the audio inputs of another client, in their order, as far as both go.
    func connect(to other: String) throws(JACKError)
    /// The first frame of the cycle that begins at least so many seconds from now.
    func cycle(after seconds: Double) -> UInt32
    /// Lets the first file begin at a frame of the server's clock; silence until then.
    func play(atFrame frame: UInt32)
    /// Pauses or goes on, each with a fade of 10 ms.
    func pause(_ isPaused: Bool)
    /// Continues at a place: out and in with fades of 10 ms.
    func jump(toFile file: Int, seconds: Double)
    /// Sets the gain in dB; it ramps over a period.
    func setGain(_ gain: Decibels)
    /// Lets the list of files begin again when it ends, without a gap.
    func setLoop(_ loops: Bool)
}

extension JACKFilePlayer: FilePlayer {}

/// What every player does with the queue its reader fills.
extension PlaybackReader {
    /// Sets the gain in dB; it ramps over a period.
    func setGain(_ gain: Decibels) {
        let amplitude: Float = gain.value == 0 ? 1 : Float(gain.amplitude)
        queue.pointee.gain.store(amplitude.bitPattern, ordering: .relaxed)
    }

    /// How it goes now, at the rate that is played.
    func status(at rate: SampleRate) -> JACKFilePlayer.Status {
        let place = position
        let gain = Double(Float(bitPattern: queue.pointee.gain.load(ordering: .relaxed)))
        return JACKFilePlayer.Status(
            file: place.file, seconds: rate.seconds(frames: place.frame),
            duration: rate.seconds(frames: place.length),
            isPaused: queue.pointee.isPaused.load(ordering: .relaxed),
            hasEnded: queue.pointee.hasEnded.load(ordering: .acquiring),
            gain: Decibels(amplitude: gain).value, underruns: queue.pointee.underruns.load(ordering: .relaxed),
            missedFrames: queue.pointee.missedFrames.load(ordering: .relaxed),
            nonFiniteSamples: nonFiniteSamples)
    }
}
