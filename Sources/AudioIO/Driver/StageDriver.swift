import Rendering
import Signal

/// Driver of a stage: a client of an audio server, with one input port per channel and two outputs, one for each ear.
///
/// Open it on an `AudioServer`, read `sampleRate`, build a renderer for that rate, `activate`. A driver connects none
/// of its inputs and outputs on its own, only its relays (`JACKCable`). After `serverLost` or `rateChanged` it is
/// closed and replaced by another. Every driver runs the same cycle (`StageCycle`), so that all give the same samples.
/// Calls may come from any thread but the audio thread.
package protocol StageDriver: AnyObject, Sendable {
    /// Name assigned by the server; differs from the requested one if that was taken.
    var name: String { get }
    /// Whether another client has the same name, which some servers allow.
    var sharesName: Bool { get }
    /// The server's rate when the driver was opened.
    var sampleRate: SampleRate { get }
    /// Events from activation to `close`, in order.
    var events: AsyncStream<JACKEvent> { get }

    /// Present period in frames.
    var periodFrames: Int { get }
    /// Longest playback latency after the outputs in frames; 0 if they are not connected.
    var playbackLatency: Int { get }
    /// The server's present frame clock; it wraps after 2³² frames.
    var frameTime: UInt32 { get }
    /// Returns the time at which a frame of that clock is heard, in seconds of the host's monotonic clock.
    func heardAt(frame: UInt32) -> Double
    /// Present position of the server's transport.
    var transport: ServerTransport { get }
    /// Cycles lost since activation.
    var xrunCount: Int { get }
    /// Frames by which the server's clock ran ahead of the cycles that reached this client.
    var skippedFrames: Int { get }
    /// Steps of the lag between programme and ears since activation.
    var lagSteps: LagSteps { get }

    /// Adds MIDI ports, `events_in` and `events_out`, to those for sound. Call before `activate`.
    func attach(_ midi: StageMIDI)
    /// Opens exactly these inputs, which bypass the stage, and closes the others of this kind; before `activate`: upon
    /// activation. Ports that stay keep their connections.
    ///
    /// - Throws: `serverGone`, `noMorePorts`; nothing is changed then.
    func open(_ inputs: MonitorInputs) throws(JACKError)
    /// Registers the ports and starts the audio thread. Once only.
    ///
    /// - Parameters:
    ///   - parts: parts to play, built for this driver's rate; retained while they play.
    ///   - heard: index of the part that is heard.
    ///   - mutesOnRouteLoss: whether all parts but prints are muted when an output loses its last connection, or its
    ///     last one to a sound card.
    func activate(_ parts: [StagePart], heard: Int, start: StartPolicy, mutesOnRouteLoss: Bool) throws(JACKError)
    /// Plays these parts from the next cycle on. Ports common to both sets keep their connections; the others are
    /// removed, and new ones added. Parts that already play go on without a break; new ones are silent until `hear`,
    /// and start at the present stream frame.
    ///
    /// - Parameter heard: index, in `parts`, of the part that is heard already.
    /// - Throws: `serverGone`, `noMorePorts`; nothing is changed then.
    func play(_ parts: [StagePart], heard: Int) throws(JACKError)
    /// Crossfades to another part within 50 ms.
    func hear(_ part: Int)
    /// Whether no crossfade is in progress.
    var isSettled: Bool { get }
    /// Sets stream time 0 to a frame of the server's clock, or (nil) to the start of the next cycle, with silent
    /// history. Returns that frame once a cycle has served the request.
    ///
    /// - Parameter timeout: longest wait for that cycle.
    func requestStart(atFrame frame: UInt32?, timeout: Duration) async throws(JACKError) -> UInt32
    /// Ends the driver: completes an unfinished recording, removes the ports. Idempotent; returns within a few seconds
    /// even if the server hangs.
    func close()

    /// Connects the two outputs to the ports that a pattern names, left first; returns these ports. For patterns see
    /// `JACKConnections.ports(named:flag:client:)`.
    @discardableResult func connectOutputs(to pattern: String) throws(JACKError) -> [String]
    /// Connects the inputs, in order, to the ports that a pattern names; returns the connections made.
    @discardableResult func connectInputs(from pattern: String) throws(JACKError) -> [JACKLink]
    /// Connects two ports by name; an existing connection is no error.
    func connect(_ from: String, to: String) throws(JACKError)
    /// Connections of the driver's ports; after the loss of the server, the last ones.
    var links: [JACKLink] { get }

    /// Reports a changed latency of the renderer's plugins to the server, which notifies its clients.
    func latencyChanged()

    /// Returns whether a client of this name exists.
    func clientExists(_ name: String) -> Bool
    /// Returns whether a port of this name exists.
    func portExists(_ name: String) -> Bool
    /// Publishes the session's state as metadata of this client, in JSON.
    func publish(state: String)

    /// Copies the heard part's inputs and both ears, before the monitor section, into a tap with a channel for each.
    /// Call after `activate`. A tap with another number of channels is ignored.
    func attach(_ tap: ThreadOwned<SoundTap>)
    /// Removes the tap from the audio thread and waits until no cycle uses it. False: a cycle may still use the tap,
    /// which must not be freed.
    func detachSoundTap() -> Bool
    /// Records the outputs, before the monitor section, into a file, from now or from the next stream start on.
    /// `replaces`: an existing file is replaced.
    func record(to path: String, waitsForStart: Bool, replaces: Bool) throws(SoundFileError)
    /// Present recorder, or one that ended early; nil without one.
    var recorder: Recorder? { get }
    /// Ends the recording and removes its file.
    func discardRecording()
    /// Completes the recording; nil without one. `whenSlow` is called with the path of the growing file if the disk
    /// takes more than some seconds.
    func stopRecording(whenSlow: (String) -> Void) throws(SoundFileError) -> Recorder.Summary?
}

extension StageDriver {
    /// Activates a single stage.
    package func activate(
        renderer: StageRenderer, inputs: [StagePort], start: StartPolicy = .firstCycle, mutesOnRouteLoss: Bool = false
    ) throws(JACKError) {
        try activate(
            [StagePart(renderer, inputs: inputs)], heard: 0, start: start, mutesOnRouteLoss: mutesOnRouteLoss)
    }

    /// Requests a start as `requestStart(atFrame:timeout:)`, with a timeout of ten seconds.
    package func requestStart(atFrame frame: UInt32?) async throws(JACKError) -> UInt32 {
        try await requestStart(atFrame: frame, timeout: .seconds(10))
    }
}
