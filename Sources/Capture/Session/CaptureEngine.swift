import AudioIO
import Geometry
import Signal
import Takes

/// A capture that goes on: inputs to chain to take, what is asked of it, and what happens to it. Pure of time and threads:
/// whoever owns it calls `step` again and again. One thread.
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

    /// How it does, for those who show it.
    package struct Status: Sendable {
        /// Seconds of the take; nil where none grows.
        package var seconds: Double?
        /// Seconds that would be in a take from before its beginning.
        package var preRoll = 0.0
        /// Names and levels of the inputs, and of the outputs.
        package var inputs: [(name: String, level: InputMeter.Level)] = []
        package var outputs: [(name: String, level: InputMeter.Level)] = []
        /// Decibels.
        package var gain = 0.0
        package var markers = 0
        /// Frames of the take, or of the last one, that did not come in.
        package var lostFrames = 0
        package var isOutOfRoom = false
    }

    /// Something that happened at a frame while no take grew, to be told by one that begins before it.
    private struct Remark {
        var name: String
        var frame: Int
        var lostFrames: Int
    }

    /// What came of a take that was ended, once its files are complete or cannot be.
    package struct Completion: Sendable {
        /// As `perform` told it.
        package var take: Int
        package var events: [CaptureEvent]
    }

    /// Seconds between two looks at the sources and at what is wrong with them.
    private static let lookInterval = 0.25
    private let settings: Settings
    private let chain: CaptureChain
    private var inputs: any CaptureInputs
    private var sources: SourceSwitch
    private var take: CaptureTake?
    private var ending = EndingTakes()
    private var completions: [Completion] = []
    private let completing: Dispatching?
    private var nextPath: String
    private var preRoll: PreRoll
    private let both = PlanarBlock(channels: 12, frames: CaptureChain.mostFrames)
    private let raw: PlanarBlock
    private let block: PlanarBlock
    /// Frames that came out of the chain, the first `delayFrames` of which nobody hears.
    private var processed = 0
    /// The frame of those with which the take begins.
    private var takeStart = 0
    private var markers = 0
    private var toldFaults: Set<InputFault> = []
    private var toldLost = 0
    private var formerlyLost = 0
    private var lostInTake = 0
    private var remarks: [Remark] = []
    private let desk: FilterDesk
    private var nextLook = 0.0
    private var isServerTold = false
    /// The first of those frames that has sound behind it: neither the silence that a chain begins with, nor that by which a take
    /// was ended.
    private var soundFrom: Int
    /// How the device was turned at frames that a take may still begin with, rising.
    private var turns: [(frame: Int, fieldToWorld: Quaternion)] = []
    private var mostTurns = 1024
    private var events: [CaptureEvent] = []
    /// What `processed` is ahead of the frames that were taken of `inputs`.
    private var ahead = 0

    /// An engine whose inputs hear so many sources, one each, or none; no take yet.
    ///
    /// - Parameters:
    ///   - designing: where filters are designed while the capture goes on; at once, on the calling thread, unless said.
    ///   - completing: where files are completed; on threads of their own unless said.
    /// - Throws: as `CaptureChain`; `wrongChannelCount`.
    package init(
        _ settings: Settings, inputs: any CaptureInputs, sources names: [String],
        designing: @escaping Dispatching = { $0() }, completing: Dispatching? = nil
    ) throws {
        self.settings = settings
        self.inputs = inputs
        self.completing = completing
        let array = settings.chain.array
        if !names.isEmpty, names.count != array.channelCount {
            throw CaptureError.wrongChannelCount(
                array: array.name, wanted: array.channelNames, found: names.count)
        }
        chain = try CaptureChain(settings.chain, sampleRate: inputs.sampleRate)
        desk = FilterDesk(designing)
        soundFrom = chain.delayFrames
        sources = SourceSwitch(channels: array.channelCount, sampleRate: inputs.sampleRate)
        try sources.begin(names, inputs)
        nextPath = settings.take.path
        preRoll = PreRoll(channels: 12, frames: Int(settings.preRoll * inputs.sampleRate.hertz))
        raw = PlanarBlock(channels: 2 * array.channelCount, frames: CaptureChain.mostFrames)
        block = PlanarBlock(channels: array.channelCount, frames: CaptureChain.mostFrames)
        // What came in before the sources were connected is nobody's.
        while case let count = inputs.take(into: raw, limit: CaptureChain.mostFrames), count > 0 { ahead -= count }
        toldLost = inputs.lostFrames
    }

    /// Components of the field that are silent.
    package var silent: [String] { chain.silent }

    /// What happened since this was last asked.
    package func takeEvents() -> [CaptureEvent] {
        defer { events = [] }
        return events
    }

    /// Goes on with what has come in; how many frames that were. `now`: seconds of the host's monotonic clock.
    package func step(now: Double) -> Int {
        if inputs.serverIsGone, !isServerTold {
            formerlyLost += inputs.lostFrames
            isServerTold = true
            events.append(.serverGone)
        }
        let frames = inputs.take(into: raw, limit: CaptureChain.mostFrames)
        if frames > 0 {
            sources.mix(raw, to: block, frames: frames, inputs)
            process(frames, now)
        }
        changeFilters()
        tell(ending.ended())
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
        ahead = processed
        events.append(.serverBack)
        remark("JACK again", at: processed)
        return true
    }

    /// Completions since this was last asked; their events are told by `takeEvents`, too.
    package func takeCompletions() -> [Completion] {
        defer { completions = [] }
        return completions
    }

    /// Does what is asked.
    ///
    /// - Returns: the number of a take that ends so: what comes of its files is told by `takeCompletions`.
    @discardableResult
    package func perform(_ command: CaptureRequest, now: Double) -> Int? {
        switch command {
        case .begin: begin(now)
        case .end:
            if let number = endTake() { return number }
            events.append(.refused("no take is being recorded"))
        case .turn(let on):
            let isOn = take != nil
            if (on ?? !isOn) != isOn { return perform(isOn ? .end : .begin, now: now) }
        case .mark(let name): mark(name, now)
        case .source(let pattern): turn(pattern)
        case .orientation(let orientation):
            change { $0.orientation = orientation }
        case .rendition(let rendition):
            if rendition == .binaural, chain.settings.field == nil {
                events.append(.refused("no HRTF set is loaded: begin with --stereo binaural"))
            } else {
                change { $0.rendition = rendition }
            }
        }
        return nil
    }

    /// Notes how the device was turned at a time; also before a take, for one that begins with what was before.
    package func note(deviceToWorld turn: Quaternion, at seconds: Double) {
        chain.deviceToWorld = turn
        guard let frame = inputs.frame(at: seconds) else { return }
        let place = frame + ahead + chain.delayFrames
        guard place > turns.last?.frame ?? .min else { return }
        // What the field's axes are to the device's is undone first.
        let fieldToWorld = (turn * chain.settings.orientation.deviceToScene.inverse.quaternion).normalized
        turns.append((place, fieldToWorld))
        if turns.count > mostTurns {
            let oldest = processed - preRoll.capacity
            let isKept = turns.firstIndex { $0.frame >= oldest } ?? turns.count
            // One from before says how it was turned at the beginning.
            turns.removeFirst(max(0, isKept - 1))
            mostTurns = max(1024, 2 * turns.count)
        }
        give(place, fieldToWorld)
    }

    /// Hands a turn to the take.
    private func give(_ frame: Int, _ fieldToWorld: Quaternion) {
        let time = Double(frame - takeStart) / inputs.sampleRate.hertz
        do throws(SoundFileError) {
            try take?.note(TakeTurn(time: time, fieldToWorld: fieldToWorld))
        } catch {
            events.append(.refused(error.description))
        }
    }

    /// Ends the take, and waits for the files of all takes, so many seconds.
    package func end(within seconds: Double = 10) {
        _ = endTake()
        tell(ending.wait(seconds))
    }

    /// Ends the take, with what is still on its way through the chain; nil where there is none. Its files are completed meanwhile.
    private func endTake() -> Int? {
        guard let take else { return nil }
        let length = chain.delayFrames
        for channel in 0..<block.channelCount { Samples.clear(block[channel], count: CaptureChain.mostFrames) }
        var left = length
        while left > 0 {
            let count = min(left, CaptureChain.mostFrames)
            chain.process(block, frames: count)
            write(count, 0)
            left -= count
        }
        // Those frames did not come in, and what is heard of them later is nobody's.
        ahead += length
        soundFrom = processed + length
        tellFaults()
        self.take = nil
        nextPath = CaptureNames.next(after: take.path)
        return ending.end(take)
    }

    private func tell(_ ended: [EndingTakes.Ended]) {
        for one in ended {
            let told = one.incidents.map { CaptureEvent.take($0) }
            events += told
            completions.append(Completion(take: one.number, events: told))
        }
    }

    /// How it does.
    package var status: Status {
        var status = Status()
        status.seconds = take.map { Double($0.frameCount) / inputs.sampleRate.hertz }
        status.preRoll = Double(preRoll.count) / inputs.sampleRate.hertz
        status.inputs = zip(chain.settings.array.channelNames, chain.inputs.levels).map { ($0, $1) }
        status.outputs = zip(CaptureFilters.channels, chain.outputs.levels).map { ($0, $1) }
        status.gain = chain.gainInForce
        status.markers = markers
        status.lostFrames = lostInTake
        status.isOutOfRoom = take?.isOutOfRoom ?? false
        return status
    }

    /// Frames that were lost of all inputs so far.
    private var lostFrames: Int { formerlyLost + (isServerTold ? 0 : inputs.lostFrames) }

    private func process(_ frames: Int, _ now: Double) {
        chain.process(block, frames: frames)
        write(frames, now)
        let gone = lostFrames
        guard gone > toldLost else { return }
        remark("\(gone - toldLost) frames lost", at: processed + chain.delayFrames, lost: gone - toldLost)
        toldLost = gone
    }

    private func tellFaults() {
        for fault in chain.faults where toldFaults.insert(fault).inserted { events.append(.fault(fault)) }
    }

    /// Marks what happened at a frame, in the take or in the next, where that begins before it.
    private func remark(_ name: String, at frame: Int, lost: Int = 0) {
        guard take != nil else {
            remarks.removeAll { $0.frame < processed - preRoll.capacity }
            return remarks.append(Remark(name: name, frame: frame, lostFrames: lost))
        }
        if lost > 0 {
            lostInTake += lost
            events.append(.lost(frames: lost))
        }
        _ = mark(name, at: frame)
    }

    /// Hands frames that came out of the chain to the take, or keeps them for the next.
    private func write(_ frames: Int, _ now: Double) {
        // Before the first sound has gone through there is nothing to hear. A take ends with what is behind its own.
        let first = min(frames, max(0, soundFrom - processed))
        defer { processed += frames }
        guard first < frames else { return }
        if first > 0 {
            for channel in 0..<6 {
                for i in first..<frames {
                    chain.output[channel][i - first] = chain.output[channel][i]
                    chain.safety[channel][i - first] = chain.safety[channel][i]
                }
            }
        }
        guard let take else {
            for channel in 0..<6 {
                Samples.copy(chain.output[channel], to: both[channel], count: frames - first)
                Samples.copy(chain.safety[channel], to: both[6 + channel], count: frames - first)
            }
            return preRoll.keep(both, frames: frames - first)
        }
        events += take.write(chain.output, safety: chain.safety, frames: frames - first, now: now).map { .take($0) }
    }

    private func begin(_ now: Double) {
        guard take == nil else { return events.append(.refused("a take is being recorded already")) }
        guard !ending.isFull else {
            return events.append(
                .refused("\(EndingTakes.most) takes wait for the disk, which is slow; ask again when one is complete"))
        }
        var settings = settings.take
        // A name that was found free is nobody's to be replaced.
        settings.replaces = settings.replaces && nextPath == settings.path
        settings.path = nextPath
        do throws(SoundFileError) {
            let take = try CaptureTake(settings, sampleRate: inputs.sampleRate, completing: completing)
            self.take = take
            takeStart = max(processed, soundFrom) - preRoll.count
            (markers, lostInTake) = (0, 0)
            events.append(
                .began(path: settings.path, preRoll: Double(preRoll.count) / inputs.sampleRate.hertz))
            let safety = PlanarBlock(channels: 6, frames: CaptureChain.mostFrames)
            var known = turns[...]
            var written = takeStart
            while case let count = preRoll.take(into: both, limit: CaptureChain.mostFrames), count > 0 {
                written += count
                while let (frame, fieldToWorld) = known.first, frame < written {
                    give(frame, fieldToWorld)
                    known = known.dropFirst()
                }
                for channel in 0..<6 { Samples.copy(both[6 + channel], to: safety[channel], count: count) }
                events += take.write(both, safety: safety, frames: count, now: now).map { .take($0) }
            }
            for (frame, fieldToWorld) in known { give(frame, fieldToWorld) }
            let former = remarks
            remarks = []
            for one in former where one.frame >= takeStart { remark(one.name, at: one.frame, lost: one.lostFrames) }
        } catch {
            events.append(.refused(error.description))
        }
    }

    /// Sets a marker now, as it was asked for.
    private func mark(_ name: String?, _ now: Double) {
        guard take != nil else { return events.append(.refused("there is no take to mark")) }
        let frame = (inputs.frame(at: now).map { $0 + ahead } ?? processed) + chain.delayFrames
        let name = name ?? "marker \(markers + 1)"
        guard !mark(name, at: frame) else { return }
        events.append(
            .refused(
                take?.isOutOfRoom ?? true
                    ? "the marker '\(name)' is not set: the disk is full"
                    : "the marker '\(name)' is not set: its sound is in a part that is complete"))
    }

    /// Sets a marker; false where there is no part that its frame lies in.
    private func mark(_ name: String, at frame: Int) -> Bool {
        guard let take else { return false }
        let place = max(0, frame - takeStart)
        do throws(SoundFileError) {
            guard try take.mark(name, at: place) else { return false }
            markers += 1
            events.append(.marker(name: name, seconds: Double(place) / inputs.sampleRate.hertz))
        } catch {
            events.append(.refused(error.description))
        }
        return true
    }

    private func turn(_ pattern: String) {
        guard sources.isSteady else { return events.append(.refused("a change of sources is going on; ask again")) }
        let found = inputs.sources(named: pattern)
        let array = settings.chain.array
        guard found.count == array.channelCount else {
            let error = CaptureError.wrongChannelCount(
                array: array.name, wanted: array.channelNames, found: found.count)
            return events.append(.refused(error.description))
        }
        do throws(JACKError) {
            try sources.turn(to: found, inputs)
            events.append(.turned(found))
        } catch {
            events.append(.refused(error.description))
        }
    }

    /// Asks for other filters, which come into force when they are designed.
    private func change(_ set: (inout FilterDesk.Wish) -> Void) {
        let settings = chain.settings
        var wish = desk.wish ?? .init(orientation: settings.orientation, rendition: settings.rendition)
        set(&wish)
        desk.ask(wish, chain)
        changeFilters()
    }

    /// Goes on with filters that are complete.
    private func changeFilters() {
        guard let (wish, result) = desk.take(chain) else { return }
        switch result {
        case .success(let filters):
            chain.exchange(for: filters, orientation: wish.orientation, rendition: wish.rendition)
            events.append(.changed(wish.orientation, wish.rendition))
        case .failure(let error): events.append(.refused(error.description))
        }
    }

    private func look() {
        let (gone, back) = sources.look(inputs)
        if !gone.isEmpty {
            events.append(.gone(gone))
            remark("source gone", at: processed + chain.delayFrames)
        }
        if !back.isEmpty {
            events.append(.back(back))
            remark("source back", at: processed + chain.delayFrames)
        }
    }
}
