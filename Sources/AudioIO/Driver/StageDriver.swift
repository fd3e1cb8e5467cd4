import Rendering
import Signal

/// Driver of a stage: a client of an audio server, with one input port per channel and one output port for each ear.
///
/// To use a driver, open it on an `AudioServer`, read `sampleRate`, build a renderer for that rate, and call
/// `activate`. A driver does not connect its inputs and outputs by itself. It connects only its relays, which are
/// clients with some of its inputs (`JACKRelay`). After `serverLost` or `rateChanged` it has to be closed and replaced.
/// Every driver runs the same cycle (`StageCycle`), so all give the same samples. Calls may come from any thread except
/// the audio thread.
package protocol StageDriver: AnyObject, Sendable {
    /// Name assigned by the server. It differs from the requested name if that was in use.
    var name: String { get }
    /// Whether another client has the same name. Some servers allow that.
    var sharesName: Bool { get }
    /// The server's sample rate when the driver was opened.
    var sampleRate: SampleRate { get }
    /// Events from activation to `close`, in order.
    var events: AsyncStream<JACKEvent> { get }

    /// Present period, frames.
    var periodFrames: Int { get }
    /// Longest playback latency of the outputs, frames; 0 if the outputs are not connected.
    var playbackLatency: Int { get }
    /// The server's present frame clock. It wraps after 2³² frames.
    var frameTime: UInt32 { get }
    /// Returns the time at which a frame of the server's clock is heard, seconds of the host's monotonic clock.
    func heardAt(frame: UInt32) -> Double
    /// Present position of the server's transport.
    var transport: ServerTransport { get }
    /// Number of cycles lost since activation.
    var xrunCount: Int { get }
    /// Number of frames by which the server's clock ran ahead of the cycles that reached this client.
    var skippedFrames: Int { get }
    /// Sudden changes of the delay between programme and ears since activation.
    var lagSteps: LagSteps { get }

    /// Adds MIDI ports, `events_in` and `events_out`. Call before `activate`.
    func attach(_ midi: StageMIDI)
    /// Opens exactly these inputs of the monitor section (talkback, reference), which bypass the stage, and closes all
    /// other such inputs. A call before `activate` takes effect at the activation. Ports that stay keep their
    /// connections.
    ///
    /// - Throws: `serverGone` or `noMorePorts`. Nothing is changed then.
    func open(_ inputs: MonitorInputs) throws(JACKError)
    /// Registers the ports and starts the audio thread. Call once.
    ///
    /// - Parameters:
    ///   - parts: Parts to play, built for this driver's sample rate. They are retained while they play.
    ///   - heard: Index of the part that is heard.
    ///   - mutesOnRouteLoss: Whether all parts except those of the print bus are muted when an output loses its last
    ///     connection, or its last connection to a sound card.
    func activate(_ parts: [StagePart], heard: Int, start: StartPolicy, mutesOnRouteLoss: Bool) throws(JACKError)
    /// Plays these parts from the next cycle on. A port that belongs to both old and new parts keeps its connections.
    /// All other old ports are removed, and missing ones are added. Parts that already play continue without a break.
    /// New parts are silent until `hear` selects them, and start at the present stream frame.
    ///
    /// - Parameter heard: Index, in `parts`, of the part that is already heard.
    /// - Throws: `serverGone`, `noMorePorts` or `notActivated`. Nothing is changed then.
    func play(_ parts: [StagePart], heard: Int) throws(JACKError)
    /// Crossfades to another part within 50 ms.
    func hear(_ part: Int)
    /// Whether no crossfade is in progress.
    var isSettled: Bool { get }
    /// Sets stream time 0 to a frame of the server's clock, or to the start of the next cycle if `frame` is nil, with
    /// silent history. Returns the frame when a cycle has handled the request.
    ///
    /// - Parameter timeout: Longest time to wait for that cycle.
    func requestStart(atFrame frame: UInt32?, timeout: Duration) async throws(JACKError) -> UInt32
    /// Ends the driver: completes an unfinished recording and removes the ports. Further calls have no effect. Returns
    /// within some seconds, even if the server hangs.
    func close()

    /// Connects the two outputs to the ports that a pattern names, the left output first. Returns these ports. For
    /// patterns see `JACKConnections.ports(named:flag:client:)`.
    @discardableResult func connectOutputs(to pattern: String) throws(JACKError) -> [String]
    /// Connects the inputs, in order, to the ports that a pattern names. Returns the connections made.
    @discardableResult func connectInputs(from pattern: String) throws(JACKError) -> [JACKLink]
    /// Connects two ports by name. An existing connection is no error.
    func connect(_ from: String, to: String) throws(JACKError)
    /// Connections of the driver's ports. After the loss of the server these are the connections to restore.
    var links: [JACKLink] { get }

    /// Reports a changed latency of the renderer's plugins to the server. The server notifies its clients.
    func latencyChanged()

    /// Returns whether a client of this name exists.
    func clientExists(_ name: String) -> Bool
    /// Returns whether a port of this name exists.
    func portExists(_ name: String) -> Bool
    /// Publishes the session's state as metadata of this client, in JSON.
    func publish(state: String)

    /// Copies the heard part's inputs and both ears, before the monitor section, into a tap that has a channel for each
    /// input and each ear. Call after `activate`. A tap with another number of channels gets no sound.
    func attach(_ tap: ThreadOwned<SoundTap>)
    /// Removes the tap from the audio thread and waits until no cycle uses it. Returns false if a cycle may still use
    /// the tap; it must then not be freed.
    func detachSoundTap() -> Bool
    /// Records the outputs, before the monitor section, into a file. The recording begins now or, if `waitsForStart` is
    /// true, with the next stream start. `replaces` says whether an existing file is replaced.
    func record(to path: String, waitsForStart: Bool, replaces: Bool) throws(SoundFileError)
    /// Present recorder, or one whose recording ended early; nil without a recorder.
    var recorder: Recorder? { get }
    /// Ends the recording and removes its file.
    func discardRecording()
    /// Completes the recording. Returns nil without a recording. `whenSlow` is called with the path of the growing file
    /// if the disk takes longer than some seconds.
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

    /// Requests a start, as `requestStart(atFrame:timeout:)` does, with a timeout of ten seconds.
    package func requestStart(atFrame frame: UInt32?) async throws(JACKError) -> UInt32 {
        try await requestStart(atFrame: frame, timeout: .seconds(10))
    }
}
