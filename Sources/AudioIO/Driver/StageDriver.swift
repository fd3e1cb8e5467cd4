import Rendering
import Signal

/// What a stage is driven by: a client of an audio server, with one input port per channel and two outputs for the
/// ears.
///
/// Open it at an `AudioServer`, look at `sampleRate`, build a renderer for that rate, `activate`. A driver connects to
/// nothing unless asked. After `serverLost` or `rateChanged` it is closed, and another is opened in its place. Every
/// driver runs the same cycle (`StageCycle`), so that all give the same samples. Calls may come from any thread but the
/// audio thread.
package protocol StageDriver: AnyObject, Sendable {
    /// The name the server gave; other than asked for where that was taken.
    var name: String { get }
    /// Whether another client has the very same name, which some servers allow.
    var sharesName: Bool { get }
    /// The server's rate when the driver was opened.
    var sampleRate: SampleRate { get }
    /// What happens from activation to `close`, in order.
    var events: AsyncStream<JACKEvent> { get }

    /// Frames per period now.
    var periodFrames: Int { get }
    /// Longest playback latency behind the outputs, frames; 0 where they are not connected.
    var playbackLatency: Int { get }
    /// The server's frame clock now; it wraps after 2³² frames.
    var frameTime: UInt32 { get }
    /// When a frame of that clock is heard, seconds of the host's monotonic clock.
    func heardAt(frame: UInt32) -> Double
    /// Where the server's transport is now.
    var transport: ServerTransport { get }
    /// Cycles lost since activation.
    var xrunCount: Int { get }
    /// Frames the server's clock ran ahead of the cycles that reached this client.
    var skippedFrames: Int { get }

    /// Gives the driver ports for MIDI, `events_in` and `events_out`, beside those for sound; before `activate`.
    func attach(_ midi: StageMIDI)
    /// Has input ports for what reaches the ears past the stage, these and no others; before `activate` they come with
    /// it. Ports that stay keep their connections.
    ///
    /// - Throws: `serverGone`, `noMorePorts`; all is then as before.
    func open(_ inputs: MonitorInputs) throws(JACKError)
    /// Registers the ports and starts the audio thread. Once only.
    ///
    /// - Parameters:
    ///   - parts: what plays, at this driver's rate; kept until it plays no more.
    ///   - heard: which of them the ears hear.
    ///   - mutesOnRouteLoss: close all gates when an ear's last connection goes.
    func activate(_ parts: [StagePart], heard: Int, start: StartPolicy, mutesOnRouteLoss: Bool) throws(JACKError)
    /// Plays these parts from the next cycle on. Ports that they share with the former ones stay, with all their
    /// connections; the others go, and new ones come. Parts that played already play on as they were; new ones are
    /// unheard until `hear`, and begin where the stream is.
    ///
    /// - Parameter heard: the part that is heard already, by its place among the new.
    /// - Throws: `serverGone`, `noMorePorts`; all is then as before.
    func play(_ parts: [StagePart], heard: Int) throws(JACKError)
    /// Has the ears hear another part: it fades in while the former fades out, within 50 ms.
    func hear(_ part: Int)
    /// Whether the ears hear one part alone: no fade is under way.
    var isSettled: Bool { get }
    /// Sets stream time 0 to a frame of the server's clock, or (nil) to the start of the next cycle, with silent
    /// history; returns the frame it was, as soon as a cycle has served the request.
    ///
    /// - Parameter timeout: how long to wait for that cycle.
    func requestStart(atFrame frame: UInt32?, timeout: Duration) async throws(JACKError) -> UInt32
    /// Ends everything: an unfinished recording is completed, ports go. Idempotent; returns within a few seconds
    /// whatever the server does.
    func close()

    /// Connects the two outputs to the ports a pattern names, left first; these are returned. `JACKClient` says what a
    /// pattern is.
    @discardableResult func connectOutputs(to pattern: String) throws(JACKError) -> [String]
    /// Connects the inputs, in order, to the ports a pattern names; what was connected is returned.
    @discardableResult func connectInputs(from pattern: String) throws(JACKError) -> [JACKLink]
    /// Connects two ports by name; an existing connection is no error.
    func connect(_ from: String, to: String) throws(JACKError)
    /// The connections of the driver's ports; after the server was lost, those there were.
    var links: [JACKLink] { get }

    /// The renderer's plugins make the sound more or less late than before: clients that ask the server for latencies
    /// are told.
    func latencyChanged()

    /// Whether a client of this name is there.
    func clientExists(_ name: String) -> Bool
    /// Whether a port of this name is there.
    func portExists(_ name: String) -> Bool
    /// Lets others read the state of the session as this client's metadata, JSON.
    func publish(state: String)

    /// Has all inputs of the part that is heard and both ears left in a tap with a channel for each; after `activate`.
    /// A tap of another number of channels is left alone.
    func attach(_ tap: ThreadOwned<SoundTap>)
    /// Takes the tap off the audio thread and waits until no cycle uses it. False: that could not be made sure of, and
    /// the tap must not be freed.
    func detachSoundTap() -> Bool
    /// Records the outputs into a file, from now or from the next stream start on. `replaces`: a file of its name is
    /// replaced.
    func record(to path: String, waitsForStart: Bool, replaces: Bool) throws(SoundFileError)
    /// What records at the moment, or ended early; nil where nothing does.
    var recorder: Recorder? { get }
    /// Ends the recording and removes its file.
    func discardRecording()
    /// Completes the recording; nil where there is none.
    func stopRecording() throws(SoundFileError) -> Recorder.Summary?
}

extension StageDriver {
    /// Plays one stage alone.
    package func activate(
        renderer: StageRenderer, inputs: [StagePort], start: StartPolicy = .firstCycle, mutesOnRouteLoss: Bool = false
    ) throws(JACKError) {
        try activate(
            [StagePart(renderer, inputs: inputs)], heard: 0, start: start, mutesOnRouteLoss: mutesOnRouteLoss)
    }

    /// As `requestStart(atFrame:timeout:)`, waiting for ten seconds at most.
    package func requestStart(atFrame frame: UInt32?) async throws(JACKError) -> UInt32 {
        try await requestStart(atFrame: frame, timeout: .seconds(10))
    }
}
