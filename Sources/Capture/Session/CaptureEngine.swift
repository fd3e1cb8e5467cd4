import AudioIO
import Geometry
import Signal

/// A running capture (a recording with a microphone array). It moves sound from the inputs through the signal chain to
/// the files of a take, executes requests, and logs events. It has neither clock nor thread; its owner must call `step`
/// repeatedly. Must be used by one thread at a time.
package final class CaptureEngine {
    /// Settings of a capture.
    package struct Settings: Sendable {
        package var chain: CaptureChainSettings
        package var take: CaptureTake.Settings
        /// Length of the pre-roll, seconds.
        package var preRoll = 10.0

        /// Creates settings.
        package init(chain: CaptureChainSettings, take: CaptureTake.Settings) {
            (self.chain, self.take) = (chain, take)
        }
    }

    /// Interval between two checks of the sources and of the inputs' faults, seconds.
    private static let lookInterval = 0.25
    let chain: CaptureChain
    let desk: FilterDesk
    let recorder: CaptureRecorder
    let eventLog = CaptureEventLog()
    private(set) var inputs: any CaptureInputs
    var sources: SourceSwitch
    /// Offset from the frame numbers of `inputs` to those of the recorder.
    private(set) var ahead = 0
    private let block: PlanarBlock
    private var toldFaults: Set<InputFault> = []
    private var losses: LostFrames
    private var nextLook = 0.0

    /// Creates an engine without a take. Each input is connected to one source, or there are no sources.
    ///
    /// - Parameters:
    ///   - designing: runs the filter designs during the capture; the default runs them immediately on the calling
    ///     thread.
    ///   - completing: runs the completion of files; nil uses one thread for each.
    /// - Throws: as `CaptureChain`; `wrongChannelCount`; `JACKError` of a connection.
    package init(
        _ settings: Settings, inputs: any CaptureInputs, sources names: [String],
        designing: @escaping Dispatching = { $0() }, completing: Dispatching? = nil
    ) throws {
        self.inputs = inputs
        let array = settings.chain.array
        if !names.isEmpty, names.count != array.channelCount {
            throw CaptureError.wrongChannelCount(
                array: array.name, wanted: array.channelNames, found: names.count)
        }
        chain = try CaptureChain(settings.chain, sampleRate: inputs.sampleRate)
        desk = FilterDesk(designing)
        recorder = CaptureRecorder(
            settings.take, preRoll: settings.preRoll, sampleRate: inputs.sampleRate, delayFrames: chain.delayFrames,
            completing: completing, eventLog: eventLog)
        sources = SourceSwitch(channels: array.channelCount, sampleRate: inputs.sampleRate)
        try sources.begin(names, inputs)
        block = PlanarBlock(channels: array.channelCount, frames: CaptureChain.mostFrames)
        // Frames that arrived before the sources were connected are dropped.
        while case let count = sources.drop(inputs), count > 0 { ahead -= count }
        losses = LostFrames(before: inputs.lostFrames)
    }

    /// Components of the field that are silent.
    package var silent: [String] { chain.silent }

    /// Processes waiting frames, at most `CaptureChain.mostFrames`. Returns their number. `now`: time of the host's
    /// monotonic clock, seconds.
    package func step(now: Double) -> Int {
        if inputs.serverIsGone, losses.close(inputs.lostFrames) { eventLog.tell(.serverGone) }
        chain.inputs.forgetTurn(now: now)
        let frames = sources.read(inputs, to: block)
        if frames > 0 { process(frames, now) }
        changeFilters()
        recorder.look()
        if now >= nextLook {
            nextLook = now + Self.lookInterval
            tellFaults()
            if !inputs.serverIsGone { look() }
        }
        return frames
    }

    /// Replaces the inputs after the loss of their server. Returns false, and changes nothing, if the new inputs have
    /// another sample rate or channel count.
    package func adopt(_ others: any CaptureInputs) -> Bool {
        guard others.sampleRate == inputs.sampleRate, others.channelCount == inputs.channelCount else { return false }
        _ = losses.close(inputs.lostFrames)
        inputs = others
        losses.reopen()
        ahead = recorder.processed
        eventLog.tell(.serverBack)
        recorder.remark("JACK again", at: recorder.processed + chain.delayFrames)
        return true
    }

    /// Stores the device's orientation at a time, seconds. It is also stored without a take, for the pre-roll of the
    /// next take.
    package func note(deviceToWorld turn: Quaternion, at seconds: Double) {
        chain.inputs.note(deviceToWorld: turn, at: seconds)
        guard let frame = inputs.frame(at: seconds) else { return }
        // The rotation from device axes to the field's axes is removed first.
        let fieldToWorld = (turn * chain.settings.orientation.deviceToScene.inverse.quaternion).normalized
        recorder.note((frame + ahead + chain.delayFrames, fieldToWorld))
    }

    /// Ends the take, and waits up to `seconds` for the files of all takes.
    package func end(within seconds: Double = 10) {
        _ = endTake()
        recorder.wait(seconds)
    }

    /// Ends the take after the frames that are still in the chain. Returns the take's number; nil if there is no take.
    /// The take's files are completed in the background.
    func endTake() -> Int? {
        guard recorder.isRecording else { return nil }
        let length = chain.delayFrames
        for channel in 0..<block.channelCount { Samples.clear(block[channel], count: CaptureChain.mostFrames) }
        var left = length
        while left > 0 {
            let count = min(left, CaptureChain.mostFrames)
            chain.process(block, frames: count)
            recorder.write(chain, frames: count, now: 0)
            left -= count
        }
        // These frames of silence are not from the inputs. The recorder drops the chain's output for them.
        ahead += length
        tellFaults()
        return recorder.end(silence: length)
    }

    private func process(_ frames: Int, _ now: Double) {
        chain.process(block, frames: frames)
        recorder.write(chain, frames: frames, now: now)
        let lost = losses.news(inputs.lostFrames)
        guard lost > 0 else { return }
        recorder.remark("\(lost) frames lost", at: recorder.processed + chain.delayFrames, lost: lost)
    }

    private func tellFaults() {
        for fault in chain.faults where toldFaults.insert(fault).inserted { eventLog.tell(.fault(fault)) }
    }

    /// Checks for sources that are gone or back, and logs them.
    private func look() {
        let (gone, back) = sources.look(inputs)
        if !gone.isEmpty {
            eventLog.tell(.gone(gone))
            recorder.remark("source gone", at: recorder.processed + chain.delayFrames)
        }
        if !back.isEmpty {
            eventLog.tell(.back(back))
            recorder.remark("source back", at: recorder.processed + chain.delayFrames)
        }
    }
}
