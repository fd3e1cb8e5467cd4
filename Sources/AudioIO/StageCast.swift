import CRealtime
import Rendering
import Signal
import Synchronization

/// Stages side by side over the ports of one driver, one of them heard; what changes from one to the other fades.
///
/// Made off the audio thread, given to it by pointer, and freed when no cycle can use it any more. All parts render in
/// every cycle, so that whichever is turned to sounds as if it had always been heard. A single part renders straight
/// into the driver's buffers.
struct StageCast: ~Copyable {
    /// Frames rendered at a time: a part's own buffers are as long.
    private static var longest: Int { @_noLocks get { RecorderTap.longestPush } }
    /// Seconds in which one part takes another's place.
    static let fadeSeconds = 0.05

    /// A part as the audio thread has it.
    private struct Part {
        let graph: UnsafeMutablePointer<StageGraph>
        let gate: UnsafeMutablePointer<PlaybackGate>
        let isPrint: Bool
        let inputCount: Int
        /// `[channel]`: its port.
        let ports: UnsafeMutablePointer<Int>
        let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
        let connected: UnsafeMutablePointer<Bool>
        /// `[ear]`: what it renders where it is not alone.
        let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        /// How far it is heard.
        var fade: Fade
        /// It has not rendered yet.
        var isNew: Bool
        /// It is the one to be heard or printed, as looked up where the render began.
        var isWanted: Bool
    }

    /// Ports that deliver sound.
    let portCount: Int
    /// Parts of all kinds.
    let count: Int
    /// `[port]`: the cycle's buffers, set by the driver before each cycle.
    let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
    /// `[port]`: whether anything is delivered on it; all are until a driver knows better.
    let connected: UnsafeMutablePointer<Bool>
    private let parts: UnsafeMutablePointer<Part>
    /// The part that is to be heard, with the one behind it on the print bus where that prints.
    private let heard: Atomic<Int>
    /// How many parts go to the ears, and how many to the print bus.
    private let earCount: Int, printCount: Int
    /// The part that alone sounds at full gain, with what prints it; −1 while something fades.
    private let settled = Atomic<Int>(-1)

    /// A cast of at least one part that goes to the ears; `heard` is at full gain from the first frame on, and so is
    /// the part that prints it, unless `take(over:)` says otherwise.
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

    /// Goes on from another cast: parts of both are as loud as they were, new ones are unheard until `heard` is set
    /// again and begin where the stream is. Audio thread, or before it runs.
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

    /// Mutes all ears. Audio thread.
    @_noLocks
    func closeGates() {
        for index in 0..<count where !parts[index].isPrint { parts[index].gate.pointee.close() }
    }

    /// What is to be known of the part that is heard, by taps.
    @_noLocks
    func heardInputs() -> (rows: UnsafePointer<UnsafePointer<Float>>, count: Int) {
        var index = 0
        while index + 1 < count && !(parts[index].isWanted && !parts[index].isPrint) { index += 1 }
        return (UnsafePointer(parts[index].inputs), parts[index].inputCount)
    }

    /// Renders the ears of `frames` ≤ 8192 frames from `first` on into `outputs`, and the print bus into `print` where
    /// there is one; the ears before the monitor section's level, which `finish` brings. Audio thread.
    @_noLocks
    func render(
        from first: Int, frames: Int, time: PeriodTime, outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
        print: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
    ) {
        lookWhatIsWanted()
        for index in 0..<count {
            // Where a stream begins nothing is there to fade from.
            if time.restart { parts[index].fade.jump(isIn: parts[index].isWanted) }
            let part = parts[index]
            for channel in 0..<part.inputCount {
                part.inputs[channel] = inputs[part.ports[channel]] + first
                part.connected[channel] = connected[part.ports[channel]]
            }
            var moment = time
            // What was lost before it began is none of its business.
            if part.isNew && !time.restart { moment.followsGap = false }
            parts[index].isNew = false
            part.graph.pointee.process(
                inputs: UnsafePointer(part.inputs), outputs: target(of: part, outputs, print), frames: frames,
                time: moment, connected: UnsafePointer(part.connected))
        }
        if earCount > 1 { mix(outputs, frames: frames, isPrint: false) }
        if let print, !printsOne { mix(print, frames: frames, isPrint: true) }
    }

    /// Gives the ears what the monitor section is to hear; after they were recorded and metered. `isSilent`: nothing
    /// was rendered, so that only what comes past the stage is there. Audio thread.
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

    /// Whether one part prints, at full gain.
    private var printsOne: Bool {
        @_noLocks get {
            guard printCount == 1 else { return false }
            for index in 0..<count where parts[index].isPrint {
                return parts[index].isWanted && parts[index].fade.isIn
            }
            return false
        }
    }

    /// Where a part renders to: straight into the driver's buffers where it is alone there.
    @_noLocks
    private func target(
        of part: Part, _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
        _ print: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
    ) -> UnsafePointer<UnsafeMutablePointer<Float>> {
        if !part.isPrint && earCount == 1 { return UnsafePointer(outputs) }
        if part.isPrint && printsOne, let print { return UnsafePointer(print) }
        return UnsafePointer(part.rows)
    }

    /// Sums the parts of ears or print bus as loud as each is now.
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

    /// Looks which part is to be heard, and which prints it: once for all that follows, for another may be asked for at
    /// any moment.
    @_noLocks
    private func lookWhatIsWanted() {
        let heard = heard.load(ordering: .acquiring)
        for index in 0..<count {
            parts[index].isWanted = index == heard || index == heard + 1 && parts[index].isPrint
        }
    }

    /// Moves the fades on.
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

    /// Has another part heard, and what prints it printed. Any thread but the audio thread.
    func hear(_ part: Int) { heard.store(part, ordering: .releasing) }

    /// Whether the part that was asked for last sounds alone. Any thread.
    var isSettled: Bool { settled.load(ordering: .acquiring) == heard.load(ordering: .acquiring) }
}
