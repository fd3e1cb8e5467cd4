import CRealtime
import Rendering
import Signal
import Synchronization

/// The processing in each cycle, common to all drivers. It starts the stream (`StartPolicy`), and renders the stages of
/// the cast (`StageCast`) for the time at which the sound will be heard. It passes the output to the recorder and to
/// the meters, and then applies the monitor section.
///
/// The audio thread uses the cycle by pointer. While the driver runs, other threads may access only the atomics.
struct StageCycle: ~Copyable {
    /// Longest cycle in frames.
    static var maximumFrames: Int { @_noLocks get { RecorderTap.longestPush } }

    /// The present cast. The driver makes and frees casts.
    private(set) var cast: UnsafeMutablePointer<StageCast>
    private let sampleRate: Double
    private let startsAtOnce: Bool
    private let followsTransport: Bool
    /// The cycle's two output buffers. The driver sets them before each `run`.
    let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The two buffers of the print bus, whose sound is recorded or sent, not heard. The driver sets them before each
    /// `run` if `hasPrint` is true.
    let print: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Whether the driver provides buffers for a print bus.
    var hasPrint = false
    /// Signals of the monitor section (talkback and reference), which bypass the stages. The driver sets them before
    /// each `run`.
    var feed = MonitorFeed()
    private let partOutputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let partPrint: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Whether stream time 0 has been reached.
    private var hasStarted = false
    /// Whether frames were lost before the next block.
    private var hasGap = false
    /// Whether the transport rolled in the last cycle.
    private var wasRolling = false

    /// Bit 63: a start is requested. Bit 62: the request names a frame. Bits 32…61: number of the request. Bits 0…31:
    /// the frame.
    private let request = Atomic<UInt64>(0)
    /// Bit 63: the frame was missed. Bits 32…61: number of the answered request. Bits 0…31: the frame of the start;
    /// after a miss, the first frame of the cycle that detected the miss.
    private let answer = Atomic<UInt64>(0)
    /// Address of the recorder's tap; 0 without a recorder.
    private let tap = Atomic<UInt>(0)
    /// Address of the meters' tap; 0 without meters.
    private let soundTap = Atomic<UInt>(0)

    /// Makes a cycle that renders `cast` until `adopt` is called.
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

    /// `[port]`: the cycle's input buffers. The driver sets them before each `run`.
    var inputs: UnsafeMutablePointer<UnsafePointer<Float>> { @_noLocks get { cast.pointee.inputs } }
    /// `[port]`: whether the port is connected in this cycle. It is true until a driver sets it.
    var connected: UnsafeMutablePointer<Bool> { @_noLocks get { cast.pointee.connected } }

    /// Switches to another cast from the next cycle on. A part that belongs to both casts continues without a
    /// discontinuity. Called on the audio thread, between cycles.
    @_noLocks
    mutating func adopt(_ other: UnsafeMutablePointer<StageCast>) {
        guard other != cast else { return }
        other.pointee.take(over: cast.pointee)
        cast = other
    }

    /// Runs one cycle of 1…8192 frames over the buffers in `inputs` and `outputs`. Called on the audio thread; cannot
    /// fail.
    ///
    /// - Parameters:
    ///   - firstFrame: The driver's frame clock at the cycle's first frame. It wraps after 2³² frames.
    ///   - followsGap: Whether frames were lost since the last cycle.
    ///   - live: False in freewheel. Live poses are then ignored, and a push into a full recorder waits.
    ///   - heardAt: Host time at which the cycle's first frame is heard, seconds.
    ///   - isRolling: Whether the transport rolls.
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
                // The exchange fails if the request has been withdrawn or replaced meanwhile. The next cycle handles a
                // new request.
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
            // The signals that bypass the stage are also heard before the stream starts.
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
        // The monitor section comes after both taps: recordings and meters get the stage's own output.
        cast.pointee.finish(partOutputs, frames: to - from, feed: feed.from(from), isSilent: false)
    }

    // MARK: Other threads

    /// Requests stream time 0 at a frame of the driver's clock, or at the start of the next cycle if `frame` is nil.
    /// Replaces a pending request. May be called on any thread except the audio thread, one at a time.
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

    /// Sets the recorder's tap, or removes it if `new` is nil. A removed tap may be in use until the cycle's end.
    func setTap(_ new: UnsafeMutablePointer<RecorderTap>?) {
        tap.store(UInt(bitPattern: new), ordering: .releasing)
    }

    /// Sets the meters' tap, or removes it if `new` is nil. The tap gets sound only if it has one channel for each
    /// input of the heard part, and two for the outputs. A removed tap may be in use until the cycle's end.
    func setSoundTap(_ new: UnsafeMutablePointer<SoundTap>?) {
        soundTap.store(UInt(bitPattern: new), ordering: .releasing)
    }
}
