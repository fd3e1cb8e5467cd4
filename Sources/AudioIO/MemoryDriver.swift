import Rendering
import Signal
import Synchronization

/// Driver without a sound card, for tests. It renders arrays of samples in any sequence of periods, as under JACK, and
/// returns the output. The calling thread acts as the audio thread.
package final class MemoryDriver {
    /// Value of the frame clock at the first frame of the next cycle. The clock wraps after 2³² frames, like JACK's.
    package var frame: UInt32
    /// Host time at which frame 0 of the clock is heard, seconds.
    package var heardAtFrameZero = 0.0
    /// Whether cycles are live. If not, as in freewheel, live poses are ignored and a push into a full recorder waits.
    package var isLive = false
    /// Whether the transport rolls.
    package var isRolling = false

    /// Signals of the monitor section, which are not rendered: `reference[channel][frame]` with two channels, and
    /// `talkback[frame]`. Every `run` begins with frame 0 of both. They are silent after their end; an empty array
    /// stands for an absent signal.
    package var reference: [[Float]] = [], talkback: [Float] = []

    /// Parts (stages with their inputs) that are rendered at present. They must be retained while the cycle uses them.
    private var parts: [StagePart]
    private var cast: UnsafeMutablePointer<StageCast>
    private let sampleRate: SampleRate
    private let cycle: UnsafeMutablePointer<StageCycle>
    private var nextRequest: UInt32 = 0

    /// Makes a driver of one renderer. `frame` is the first value of the clock.
    package convenience init(
        renderer: StageRenderer, inputCount: Int, sampleRate: SampleRate, policy: StartPolicy = .firstCycle,
        frame: UInt32 = 0
    ) {
        self.init(
            [StagePart(renderer, inputs: .numbered(inputCount))], heard: 0, sampleRate: sampleRate, policy: policy,
            frame: frame)
    }

    /// Makes a driver of several stages side by side.
    package init(
        _ parts: [StagePart], heard: Int, sampleRate: SampleRate, policy: StartPolicy = .firstCycle,
        frame: UInt32 = 0
    ) {
        self.parts = parts
        self.sampleRate = sampleRate
        self.frame = frame
        cast = Self.makeCast(parts, heard, sampleRate)
        cycle = .allocate(capacity: 1)
        cycle.initialize(to: StageCycle(cast, sampleRate: sampleRate, policy: policy))
    }

    deinit {
        cycle.deinitialize(count: 1)
        cycle.deallocate()
        Self.free(cast)
    }

    private static func makeCast(
        _ parts: [StagePart], _ heard: Int, _ sampleRate: SampleRate
    ) -> UnsafeMutablePointer<StageCast> {
        let cast = UnsafeMutablePointer<StageCast>.allocate(capacity: 1)
        cast.initialize(to: StageCast(parts, heard: heard, sampleRate: sampleRate))
        return cast
    }

    private static func free(_ cast: UnsafeMutablePointer<StageCast>) {
        cast.deinitialize(count: 1)
        cast.deallocate()
    }

    /// Plays these parts from the next cycle on. `heard` is the index of the part that is already heard.
    package func play(_ parts: [StagePart], heard: Int) {
        let former = cast
        cast = Self.makeCast(parts, heard, sampleRate)
        cycle.pointee.adopt(cast)
        Self.free(former)
        self.parts = parts
    }

    /// Crossfades to another part.
    package func hear(_ part: Int) { cast.pointee.hear(part) }

    /// Whether no crossfade is in progress.
    package var isSettled: Bool { cast.pointee.isSettled }

    /// `[channel][frame]`: output of the print bus (a rendering with a fixed head, to be recorded or sent) in the last
    /// `run`; empty without a print bus.
    package private(set) var printed: [[Float]] = []

    /// Sets whether an input channel counts as connected from the next cycle on.
    package func connect(_ channel: Int, _ isConnected: Bool) { cycle.pointee.connected[channel] = isConnected }

    /// Runs one cycle for each period, over consecutive frames of `input` (`[channel][frame]`, silent after its end).
    /// Returns the two outputs, `[ear][frame]`. `followsGap` says whether frames were lost before the first cycle.
    package func run(_ input: [[Float]], periods: [Int], followsGap: Bool = false) -> [[Float]] {
        var followsGap = followsGap
        var ears: [[Float]] = [[], []]
        var position = 0
        let hasPrint = parts.havePrint
        printed = hasPrint ? [[], []] : []
        for frames in periods {
            let source = PlanarBlock(channels: input.count, frames: frames)
            let target = PlanarBlock(channels: 2, frames: frames)
            for channel in input.indices {
                for i in 0..<frames where position + i < input[channel].count {
                    source[channel][i] = input[channel][position + i]
                }
                cycle.pointee.inputs[channel] = UnsafePointer(source[channel])
            }
            let print = PlanarBlock(channels: 2, frames: frames)
            for ear in 0..<2 {
                cycle.pointee.outputs[ear] = target[ear]
                cycle.pointee.print[ear] = print[ear]
            }
            cycle.pointee.hasPrint = hasPrint
            let past = PlanarBlock(channels: 3, frames: frames)
            for (channel, row) in (reference + [talkback]).enumerated() {
                let row = row.dropFirst(position).prefix(frames)
                for (i, sample) in row.enumerated() { past[reference.isEmpty ? 2 : channel][i] = sample }
            }
            cycle.pointee.feed = MonitorFeed()
            if reference.count == 2 {
                cycle.pointee.feed.left = UnsafePointer(past[0])
                cycle.pointee.feed.right = UnsafePointer(past[1])
            }
            if !talkback.isEmpty { cycle.pointee.feed.talkback = UnsafePointer(past[2]) }
            cycle.pointee.run(
                frames: frames, firstFrame: frame, followsGap: followsGap, live: isLive,
                heardAt: heardAtFrameZero + sampleRate.seconds(frames: Int(frame)), isRolling: isRolling)
            for ear in 0..<2 {
                ears[ear] += UnsafeBufferPointer(start: target[ear], count: frames)
                if hasPrint { printed[ear] += UnsafeBufferPointer(start: print[ear], count: frames) }
            }
            followsGap = false
            position += frames
            frame &+= UInt32(frames)
        }
        return ears
    }

    /// Requests stream time 0 at a frame of the clock, or at the start of the next cycle if `frame` is nil.
    package func askToStart(at frame: UInt32? = nil) {
        nextRequest += 1
        cycle.pointee.askToStart(at: frame, number: nextRequest)
    }

    /// Clock frame of stream time 0 after the last request. Nil before the first request, while the request is
    /// pending, or if its frame was missed.
    package var startedFrame: UInt32? {
        guard nextRequest > 0 else { return nil }
        return if case .started(let frame) = cycle.pointee.startOutcome(number: nextRequest) { frame } else { nil }
    }

    /// Whether the frame of the last request had already passed.
    package var missedStart: Bool {
        if case .missed = cycle.pointee.startOutcome(number: nextRequest) { true } else { false }
    }

    /// Attaches a tap, into which every cycle copies all inputs and both outputs. Nil removes the tap.
    package func attach(_ tap: ThreadOwned<SoundTap>?) { cycle.pointee.setSoundTap(tap?.pointer) }

    /// Records into a file: from the next cycle on or, if `waitsForStart` is true, from the next stream start on. The
    /// recording continues until `stop` or `discard` is called with the recorder.
    package func record(
        to path: String, waitsForStart: Bool, replaces: Bool = false
    ) throws(SoundFileError) -> Recorder {
        let recorder = try Recorder(
            path: path, sampleRate: sampleRate, encoding: nil, waitsForStart: waitsForStart, replaces: replaces)
        cycle.pointee.setTap(recorder.tap.pointer)
        return recorder
    }

    /// Ends a recording.
    package func stop(_ recorder: Recorder) throws(SoundFileError) -> Recorder.Summary {
        cycle.pointee.setTap(nil)
        return try recorder.finish()
    }

    /// Ends a recording and removes its file.
    package func discard(_ recorder: Recorder) {
        cycle.pointee.setTap(nil)
        recorder.discard()
    }
}

extension [StagePort] {
    /// Returns `count` inputs named by number, for drivers without a patchbay.
    static func numbered(_ count: Int) -> [StagePort] {
        (0..<count).map { StagePort(symbol: "\($0 + 1)", prettyName: "\($0 + 1)", group: "") }
    }
}
