import AudioIO
import Geometry
import Signal

/// A capture that goes on: inputs to chain to take, what is asked of it, and what happens to it. Pure of time and
/// threads: its owner calls `step` again and again. One thread.
package final class CaptureEngine {
    /// What is asked of it.
    package struct Settings: Sendable {
        package var chain: CaptureChain.Settings
        package var take: CaptureTake.Settings
        /// Seconds before a take's beginning that are in it.
        package var preRoll = 10.0

        /// Settings as given.
        package init(chain: CaptureChain.Settings, take: CaptureTake.Settings) {
            (self.chain, self.take) = (chain, take)
        }
    }

    /// Seconds between two looks at the sources and at what is wrong with them.
    private static let lookInterval = 0.25
    let chain: CaptureChain
    let desk: FilterDesk
    let recorder: CaptureRecorder
    let eventLog = CaptureEventLog()
    private(set) var inputs: any CaptureInputs
    var sources: SourceSwitch
    /// What the recorder's frames are ahead of those that were taken of `inputs`.
    private(set) var ahead = 0
    private let raw: PlanarBlock
    private let block: PlanarBlock
    private var toldFaults: Set<InputFault> = []
    private var toldLost = 0
    private var formerlyLost = 0
    private var nextLook = 0.0
    private var isServerTold = false

    /// An engine whose inputs hear so many sources, one each, or none; no take yet.
    ///
    /// - Parameters:
    ///   - designing: where filters are designed while the capture goes on; at once, on the calling thread,
    ///     unless said.
    ///   - completing: where files are completed; on threads of their own unless said.
    /// - Throws: as `CaptureChain`; `wrongChannelCount`.
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
        raw = PlanarBlock(channels: 2 * array.channelCount, frames: CaptureChain.mostFrames)
        block = PlanarBlock(channels: array.channelCount, frames: CaptureChain.mostFrames)
        // What came in before the sources were connected is dropped.
        while case let count = inputs.take(into: raw, limit: CaptureChain.mostFrames), count > 0 { ahead -= count }
        toldLost = inputs.lostFrames
    }

    /// Components of the field that are silent.
    package var silent: [String] { chain.silent }

    /// Goes on with what has come in; how many frames that were. `now`: seconds of the host's monotonic clock.
    package func step(now: Double) -> Int {
        if inputs.serverIsGone, !isServerTold {
            formerlyLost += inputs.lostFrames
            isServerTold = true
            eventLog.tell(.serverGone)
        }
        let frames = inputs.take(into: raw, limit: CaptureChain.mostFrames)
        if frames > 0 {
            sources.mix(raw, to: block, frames: frames, inputs)
            process(frames, now)
        }
        changeFilters()
        recorder.look()
        if now >= nextLook {
            nextLook = now + Self.lookInterval
            tellFaults()
            if !inputs.serverIsGone { look() }
        }
        return frames
    }

    /// Takes other inputs in place of those whose server went away; false where they run at another rate.
    package func adopt(_ others: any CaptureInputs) -> Bool {
        guard others.sampleRate == inputs.sampleRate, others.channelCount == inputs.channelCount else { return false }
        if !isServerTold { formerlyLost += inputs.lostFrames }
        inputs = others
        isServerTold = false
        ahead = recorder.processed
        eventLog.tell(.serverBack)
        recorder.remark("JACK again", at: recorder.processed)
        return true
    }

    /// Notes how the device was turned at a time; also before a take, for one that begins with what was before.
    package func note(deviceToWorld turn: Quaternion, at seconds: Double) {
        chain.deviceToWorld = turn
        guard let frame = inputs.frame(at: seconds) else { return }
        // What the field's axes are to the device's is undone first.
        let fieldToWorld = (turn * chain.settings.orientation.deviceToScene.inverse.quaternion).normalized
        recorder.note((frame + ahead + chain.delayFrames, fieldToWorld))
    }

    /// Ends the take, and waits for the files of all takes, so many seconds.
    package func end(within seconds: Double = 10) {
        _ = endTake()
        recorder.wait(seconds)
    }

    /// Ends the take, with what is still on its way through the chain; nil where there is none.
    /// Its files are completed meanwhile.
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
        // Those frames did not come in, and what is heard of them later is dropped.
        ahead += length
        tellFaults()
        return recorder.end(silence: length)
    }

    private func process(_ frames: Int, _ now: Double) {
        chain.process(block, frames: frames)
        recorder.write(chain, frames: frames, now: now)
        let gone = formerlyLost + (isServerTold ? 0 : inputs.lostFrames)
        guard gone > toldLost else { return }
        recorder.remark(
            "\(gone - toldLost) frames lost", at: recorder.processed + chain.delayFrames, lost: gone - toldLost)
        toldLost = gone
    }

    private func tellFaults() {
        for fault in chain.faults where toldFaults.insert(fault).inserted { eventLog.tell(.fault(fault)) }
    }

    /// Looks which sources went away or came back.
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
