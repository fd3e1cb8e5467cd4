import CRealtime
import Rendering
import Signal
import Synchronization

/// Stages (renderings of virtual loudspeakers) that one driver renders side by side, each as one part (`StagePart`).
/// One part is heard; changes from one to another are crossfaded. A print part is rendered for the print bus, which is
/// recorded or sent.
///
/// A cast is made off the audio thread, passed to the audio thread by pointer, and freed when no cycle can use it any
/// more. All parts are rendered in every cycle, so that a part already has its full history when `hear` selects it. A
/// single part is rendered directly into the driver's buffers.
struct StageCast: ~Copyable {
    /// Longest block, frames. It is the length of a part's own buffers.
    private static var longest: Int { @_noLocks get { RecorderTap.longestPush } }
    /// Duration of the crossfade between parts, seconds.
    static let fadeSeconds = 0.05

    /// State of a part on the audio thread.
    private struct Part {
        let graph: UnsafeMutablePointer<StageGraph>
        let gate: UnsafeMutablePointer<PlaybackGate>
        let isPrint: Bool
        let inputCount: Int
        /// `[channel]`: index of its port.
        let ports: UnsafeMutablePointer<Int>
        let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
        let connected: UnsafeMutablePointer<Bool>
        /// `[ear]`: output buffer, for a part that is not rendered directly into the driver's buffers.
        let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        /// Fade of the part's gain.
        var fade: Fade
        /// Whether the part has not rendered yet.
        var isNew: Bool
        /// Whether the part is to be heard or printed. The value is read once at the start of a render.
        var isWanted: Bool
    }

    /// Number of input ports.
    let portCount: Int
    /// Number of parts, including print parts.
    let count: Int
    /// `[port]`: the cycle's buffers. The driver sets them before each cycle.
    let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
    /// `[port]`: whether the port is connected. It is true until a driver sets it.
    let connected: UnsafeMutablePointer<Bool>
    private let parts: UnsafeMutablePointer<Part>
    /// Index of the part to be heard. If the next part is a print part, that part is sent to the print bus.
    private let heard: Atomic<Int>
    /// Number of parts for the outputs, and number of parts for the print bus.
    private let earCount: Int, printCount: Int
    /// Index of the part that is heard alone at full gain; −1 during a fade, and before the first cycle.
    private let settled = Atomic<Int>(-1)

    /// Makes a cast with at least one part for the outputs. The part `heard` and its print part start at full gain,
    /// unless `take(over:)` changes that.
    init(_ wanted: [StagePart], heard: Int, sampleRate: SampleRate) {
        let printed = wanted.printing(heard)
        let all = wanted.ports
        let symbols = all.map(\.symbol)
        portCount = all.count
        count = wanted.count
        let fade = max(1, Int(Self.fadeSeconds * sampleRate.hertz))
        inputs = .allocate(capacity: max(1, portCount))
        connected = .allocate(capacity: max(1, portCount))
        connected.initialize(repeating: true, count: max(1, portCount))
        parts = .allocate(capacity: wanted.count)
        for (index, part) in wanted.enumerated() {
            let count = part.inputs.count
            let ports = UnsafeMutablePointer<Int>.allocate(capacity: max(1, count))
            for (channel, port) in part.inputs.enumerated() {
                (ports + channel).initialize(to: symbols.firstIndex(of: port.symbol) ?? 0)
            }
            let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
            for ear in 0..<2 {
                (rows + ear).initialize(to: .allocate(capacity: Self.longest))
                rows[ear].initialize(repeating: 0, count: Self.longest)
            }
            (parts + index).initialize(
                to: Part(
                    graph: part.renderer.handle.pointer, gate: part.renderer.gate.pointer,
                    isPrint: part.outlet == .print,
                    inputCount: count, ports: ports, inputs: .allocate(capacity: max(1, count)),
                    connected: .allocate(capacity: max(1, count)),
                    rows: rows, fade: Fade(length: fade, isIn: index == heard || index == printed), isNew: true,
                    isWanted: index == heard || index == printed))
            parts[index].connected.initialize(repeating: true, count: max(1, count))
        }
        self.heard = Atomic(heard)
        earCount = wanted.count { $0.outlet == .ears }
        printCount = wanted.count - earCount
    }

    deinit {
        for index in 0..<count {
            parts[index].ports.deallocate()
            parts[index].inputs.deallocate()
            parts[index].connected.deallocate()
            for ear in 0..<2 { parts[index].rows[ear].deallocate() }
            parts[index].rows.deallocate()
        }
        parts.deinitialize(count: count)
        parts.deallocate()
        inputs.deallocate()
        connected.deallocate()
    }

    /// Continues the sound of another cast. A part that belongs to both casts keeps its gain. New parts are silent
    /// until `hear` selects them, and start at the present stream frame. Called on the audio thread, or before the
    /// audio thread runs.
    @_noLocks
    func take(over former: borrowing StageCast) {
        let frame = former.parts[former.heard.load(ordering: .relaxed)].graph.pointee.streamFrame
        for index in 0..<count {
            parts[index].fade.jump(isIn: false)
            var known = 0
            while known < former.count && former.parts[known].graph != parts[index].graph { known += 1 }
            if known < former.count {
                parts[index].fade = former.parts[known].fade
                parts[index].isNew = former.parts[known].isNew
            } else {
                parts[index].graph.pointee.join(atFrame: frame)
            }
        }
    }

    /// Mutes all parts except print parts, by their playback gates. Called on the audio thread.
    @_noLocks
    func closeGates() {
        for index in 0..<count where !parts[index].isPrint { parts[index].gate.pointee.close() }
    }

    /// Returns the input rows of the part that is heard, for the meters.
    @_noLocks
    func heardInputs() -> (rows: UnsafePointer<UnsafePointer<Float>>, count: Int) {
        var index = 0
        while index + 1 < count && !(parts[index].isWanted && !parts[index].isPrint) { index += 1 }
        return (UnsafePointer(parts[index].inputs), parts[index].inputCount)
    }

    /// Renders `frames` ≤ 8192 frames into `outputs`, from frame `first` of the inputs on. The print bus is rendered
    /// into `print`, unless `print` is nil. The monitor section is not applied; `finish` does that. Called on the audio
    /// thread.
    @_noLocks
    func render(
        from first: Int, frames: Int, time: PeriodTime, outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
        print: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
    ) {
        lookWhatIsWanted()
        for index in 0..<count {
            // Where a stream starts, the gain jumps, because there is no earlier sound from which to fade.
            if time.restart { parts[index].fade.jump(isIn: parts[index].isWanted) }
            let part = parts[index]
            for channel in 0..<part.inputCount {
                part.inputs[channel] = inputs[part.ports[channel]] + first
                part.connected[channel] = connected[part.ports[channel]]
            }
            var moment = time
            // A new part ignores frames that were lost before its start.
            if part.isNew && !time.restart { moment.followsGap = false }
            parts[index].isNew = false
            part.graph.pointee.process(
                inputs: UnsafePointer(part.inputs), outputs: target(of: part, outputs, print), frames: frames,
                time: moment, connected: UnsafePointer(part.connected))
        }
        if earCount > 1 { mix(outputs, frames: frames, isPrint: false) }
        if let print, !printsOne { mix(print, frames: frames, isPrint: true) }
    }

    /// Applies the monitor section to the outputs, after they were recorded and metered. With `isSilent` nothing was
    /// rendered, and only the signals that bypass the stage are heard. Called on the audio thread.
    @_noLocks
    func finish(
        _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frames: Int, feed: MonitorFeed, isSilent: Bool
    ) {
        if isSilent { lookWhatIsWanted() }
        for index in 0..<count where !parts[index].isPrint {
            let ears = target(of: parts[index], outputs, nil)
            if isSilent { for ear in 0..<2 { prc_zero(ears[ear], frames * 4) } }
            parts[index].graph.pointee.finish(ears, frames: frames, feed: feed)
        }
        if earCount > 1 { mix(outputs, frames: frames, isPrint: false) }
        advance(frames)
    }

    /// Whether only one part is for the print bus, and this part is printed at full gain.
    private var printsOne: Bool {
        @_noLocks get {
            guard printCount == 1 else { return false }
            for index in 0..<count where parts[index].isPrint {
                return parts[index].isWanted && parts[index].fade.isIn
            }
            return false
        }
    }

    /// Returns the buffers into which a part is rendered: the driver's if the part's sound is not mixed, otherwise the
    /// part's own.
    @_noLocks
    private func target(
        of part: Part, _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
        _ print: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
    ) -> UnsafePointer<UnsafeMutablePointer<Float>> {
        if !part.isPrint && earCount == 1 { return UnsafePointer(outputs) }
        if part.isPrint && printsOne, let print { return UnsafePointer(print) }
        return UnsafePointer(part.rows)
    }

    /// Sums the parts of the outputs or of the print bus, each with the gain of its fade.
    @_noLocks
    private func mix(
        _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frames: Int, isPrint: Bool
    ) {
        prc_zero(outputs[0], frames * 4)
        prc_zero(outputs[1], frames * 4)
        for index in 0..<count where parts[index].isPrint == isPrint {
            let (fade, rows, isWanted) = (parts[index].fade, parts[index].rows, parts[index].isWanted)
            if fade.isOut && !isWanted { continue }
            for ear in 0..<2 {
                if fade.isIn && isWanted {
                    Samples.add(rows[ear], gain: 1, to: outputs[ear], count: frames)
                } else {
                    let (from, to) = (rows[ear], outputs[ear])
                    for i in 0..<frames { to[i] += fade.smooth(ahead: i, comes: isWanted) * from[i] }
                }
            }
        }
    }

    /// Reads once, for the whole render, which parts are to be heard and printed. Another thread may call `hear` at any
    /// moment.
    @_noLocks
    private func lookWhatIsWanted() {
        let heard = heard.load(ordering: .acquiring)
        for index in 0..<count {
            parts[index].isWanted = index == heard || index == heard + 1 && parts[index].isPrint
        }
    }

    @_noLocks
    private func advance(_ frames: Int) {
        var (rests, alone) = (true, -1)
        for index in 0..<count {
            let isWanted = parts[index].isWanted
            parts[index].fade.advance(frames, comes: isWanted)
            if isWanted ? !parts[index].fade.isIn : !parts[index].fade.isOut { rests = false }
            if isWanted && !parts[index].isPrint { alone = index }
        }
        settled.store(rests ? alone : -1, ordering: .releasing)
    }

    /// Selects the part to be heard, together with its print part. May be called on any thread except the audio thread.
    func hear(_ part: Int) { heard.store(part, ordering: .releasing) }

    /// Whether the part that was selected last is heard alone, at full gain. May be read on any thread.
    var isSettled: Bool { settled.load(ordering: .acquiring) == heard.load(ordering: .acquiring) }
}
