import CRealtime
import Rendering
import Signal
import Synchronization

/// The cycle of every live driver: starts the stream on the requested frame, runs the graph with the time at which its
/// sound will be heard, and feeds the recorder.
///
/// Reached by pointer on the audio thread; once a driver runs, other threads may touch the atomics only.
struct StageCycle: ~Copyable {
    /// Longest cycle in frames.
    static var maximumFrames: Int { @_noLocks get { RecorderTap.longestPush } }

    /// The present cast; its owner frees it.
    private(set) var cast: UnsafeMutablePointer<StageCast>
    private let sampleRate: Double
    private let startsAtOnce: Bool
    private let followsTransport: Bool
    /// The cycle's two output buffers, set by the driver before each `run`.
    let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The print bus's two buffers, set before each `run` if `hasPrint` is true.
    let print: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Whether the driver provides buffers for a print bus.
    var hasPrint = false
    /// Input of the monitor section past the stage, set by the driver before each `run`.
    var feed = MonitorFeed()
    private let partOutputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let partPrint: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var hasStarted = false
    /// Whether frames were lost before the next block.
    private var hasGap = false
    private var wasRolling = false

    /// Bit 63: a start is requested; bit 62: at a frame; bits 32…61: number of the request; bits 0…31: the frame.
    private let request = Atomic<UInt64>(0)
    /// Bit 63: the frame was missed; bits 32…61: number of the request answered; bits 0…31: the frame.
    private let answer = Atomic<UInt64>(0)
    /// Address of the recorder's tap, 0 without a recorder.
    private let tap = Atomic<UInt>(0)
    /// Address of the meters' tap, 0 without meters.
    private let soundTap = Atomic<UInt>(0)

    /// Creates a cycle over a first cast.
    init(_ cast: UnsafeMutablePointer<StageCast>, sampleRate: SampleRate, policy: StartPolicy) {
        self.cast = cast
        self.sampleRate = sampleRate.hertz
        startsAtOnce = policy != .onRequest
        followsTransport = policy == .transport
        outputs = .allocate(capacity: 2)
        print = .allocate(capacity: 2)
        partOutputs = .allocate(capacity: 2)
        partPrint = .allocate(capacity: 2)
    }

    deinit {
        outputs.deallocate()
        print.deallocate()
        partOutputs.deallocate()
        partPrint.deallocate()
    }

    /// `[port]`: the cycle's input buffers, set by the driver before each `run`.
    var inputs: UnsafeMutablePointer<UnsafePointer<Float>> { @_noLocks get { cast.pointee.inputs } }
    /// `[port]`: whether the port is connected in this cycle; true until a driver sets it.
    var connected: UnsafeMutablePointer<Bool> { @_noLocks get { cast.pointee.connected } }

    /// Switches to another cast from the next cycle on, without a discontinuity in the parts common to both. Audio
    /// thread, between cycles.
    @_noLocks
    mutating func adopt(_ other: UnsafeMutablePointer<StageCast>) {
        guard other != cast else { return }
        other.pointee.take(over: cast.pointee)
        cast = other
    }

    /// Runs one cycle of 1…8192 frames over the buffers in `inputs` and `outputs`. Audio thread; never fails.
    ///
    /// - Parameters:
    ///   - firstFrame: the driver's frame clock at the cycle's first frame; it wraps.
    ///   - followsGap: whether frames were lost since the last cycle.
    ///   - live: false in freewheel: live poses are ignored, and a push into a full recorder waits.
    ///   - heardAt: host time at which the cycle's first frame is heard, in seconds.
    ///   - isRolling: whether the transport rolls.
    @_noLocks
    mutating func run(
        frames: Int, firstFrame: UInt32, followsGap: Bool = false, live: Bool, heardAt: Double, isRolling: Bool
    ) {
        hasGap = followsGap
        let begin = startOffset(frames: frames, firstFrame: firstFrame, isRolling: isRolling)
        if begin < 0 {
            render(from: 0, to: frames, restart: false, live: live, heardAt: heardAt, firstFrame)
        } else {
            render(from: 0, to: begin, restart: false, live: live, heardAt: heardAt, firstFrame)
            hasStarted = true
            render(from: begin, to: frames, restart: true, live: live, heardAt: heardAt, firstFrame)
        }
    }

    /// Writes silence to the outputs. Audio thread.
    @_noLocks
    func silence(frames: Int) {
        for ear in 0..<2 {
            prc_zero(outputs[ear], frames * 4)
            if hasPrint { prc_zero(print[ear], frames * 4) }
        }
    }

    /// Returns the offset of stream time 0 in this cycle; −1 if it is not in this cycle.
    @_noLocks
    private mutating func startOffset(frames: Int, firstFrame: UInt32, isRolling: Bool) -> Int {
        let beganToRoll = isRolling && !wasRolling
        wasRolling = isRolling
        let asked = request.load(ordering: .acquiring)
        if asked & (1 << 63) != 0 {
            let number = asked & 0x3FFF_FFFF_0000_0000
            let frame = UInt32(truncatingIfNeeded: asked)
            let isAtFrame = asked & (1 << 62) != 0
            let ahead = isAtFrame ? Int(Int32(bitPattern: frame &- firstFrame)) : 0
            if ahead < frames {
                // The exchange fails if a newer request has arrived; that one waits for the next cycle.
                if request.compareExchange(expected: asked, desired: 0, ordering: .acquiringAndReleasing).exchanged {
                    if ahead < 0 {
                        answer.store(1 << 63 | number | UInt64(firstFrame), ordering: .releasing)
                    } else {
                        let started = firstFrame &+ UInt32(truncatingIfNeeded: ahead)
                        answer.store(number | UInt64(started), ordering: .releasing)
                        return ahead
                    }
                }
            }
        }
        if followsTransport && beganToRoll { return 0 }
        return !hasStarted && startsAtOnce ? 0 : -1
    }

    @_noLocks
    private mutating func render(
        from: Int, to: Int, restart: Bool, live: Bool, heardAt: Double, _ firstFrame: UInt32
    ) {
        guard to > from else { return }
        for ear in 0..<2 {
            partOutputs[ear] = outputs[ear] + from
            if hasPrint { partPrint[ear] = print[ear] + from }
        }
        guard hasStarted else {
            for ear in 0..<2 where hasPrint { prc_zero(partPrint[ear], (to - from) * 4) }
            // Talkback is heard before the stream starts, too.
            return cast.pointee.finish(partOutputs, frames: to - from, feed: feed.from(from), isSilent: true)
        }
        cast.pointee.render(
            from: from, frames: to - from,
            time: PeriodTime(
                restart: restart, live: live, followsGap: hasGap, heardAt: heardAt + Double(from) / sampleRate),
            outputs: partOutputs, print: hasPrint ? partPrint : nil)
        hasGap = false
        if let tap = UnsafeMutablePointer<RecorderTap>(bitPattern: tap.load(ordering: .acquiring)) {
            tap.pointee.push(
                partOutputs[0], partOutputs[1], frames: to - from, isStreamStart: restart, live: live,
                clock: firstFrame &+ UInt32(truncatingIfNeeded: from))
        }
        if let tap = UnsafeMutablePointer<SoundTap>(bitPattern: soundTap.load(ordering: .acquiring)) {
            let (rows, count) = cast.pointee.heardInputs()
            // A tap with another number of channels is about to be replaced.
            if tap.pointee.channelCount == count + 2 {
                tap.pointee.push(
                    inputs: rows, outputs: partOutputs, frames: to - from, isStreamStart: restart, live: live)
            }
        }
        // The monitor section comes after both: recordings and meters take the stage's own output.
        cast.pointee.finish(partOutputs, frames: to - from, feed: feed.from(from), isSilent: false)
    }

    // MARK: Other threads

    /// Requests stream time 0 at a frame of the driver's clock, or (nil) at the start of the next cycle. Any thread but
    /// the audio thread, one at a time. Replaces a pending request.
    func askToStart(at frame: UInt32?, number: UInt32) {
        let kind: UInt64 = frame == nil ? 1 << 63 : 3 << 62
        request.store(kind | UInt64(number & 0x3FFF_FFFF) << 32 | UInt64(frame ?? 0), ordering: .releasing)
    }

    /// Withdraws a pending request.
    func withdrawStart() { request.store(0, ordering: .releasing) }

    /// Returns the outcome of request `number`.
    func startOutcome(number: UInt32) -> StartOutcome {
        let found = answer.load(ordering: .acquiring)
        guard UInt32(truncatingIfNeeded: found >> 32) & 0x3FFF_FFFF == number & 0x3FFF_FFFF else { return .pending }
        let frame = UInt32(truncatingIfNeeded: found)
        return found & 1 << 63 == 0 ? .started(frame: frame) : .missed(now: frame)
    }

    /// Sets the recorder's tap, or (nil) removes it. A removed tap may be in use until the cycle's end.
    func setTap(_ new: UnsafeMutablePointer<RecorderTap>?) {
        tap.store(UInt(bitPattern: new), ordering: .releasing)
    }

    /// Sets the meters' tap, or (nil) removes it; it has two channels more than the cycle has inputs. A removed tap may
    /// be in use until the cycle's end.
    func setSoundTap(_ new: UnsafeMutablePointer<SoundTap>?) {
        soundTap.store(UInt(bitPattern: new), ordering: .releasing)
    }
}
