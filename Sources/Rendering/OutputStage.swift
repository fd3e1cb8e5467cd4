import Inserts
import Signal

/// Processing of the two ears after all sources are summed. The steps are the trim, the plugins, the headphone
/// equalisation, the output limiter and the gate. Clipping is detected before the limiter, peaks are measured at the
/// end.
///
/// Every step gives the same bits, however a stream is divided into calls.
struct OutputStage: ~Copyable {
    /// Frames over which the last output fades out when a stream restarts without the look-ahead limiter.
    private static var farewell: Int { @_noLocks get { 64 } }

    private let kind: OutputGuard
    private let trim: Float
    /// Latency of the output limiter, frames.
    let latencyFrames: Int
    private var instant: InstantGuard
    private var lookahead: LookaheadGuard
    /// Last samples before the gate.
    private var last = SIMD2<Float>(0, 0)
    /// Samples that fade out after a restart.
    private var parting = SIMD2<Float>(0, 0)
    /// Fade-out of `parting`.
    private var leaving = Fade(length: OutputStage.farewell, isIn: false)
    /// Gate that mutes the ears after the connection to the listener's device was lost. The renderer owns the gate.
    private let gate: UnsafeMutablePointer<PlaybackGate>?
    /// Plugin chains of the stage; nil without plugins.
    private let inserts: UnsafeMutablePointer<InsertStage>?
    /// Index of the ears' chain among the plugin chains.
    private let place: Int
    /// Pointers to the two ears' samples.
    private let ears: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Headphone equalisation. The renderer owns it.
    private let headphones: UnsafeMutablePointer<HeadphoneStage>?
    /// Largest magnitudes of the output since `beginPeriod`.
    private(set) var peaks = SIMD2<Float>(0, 0)
    /// Smallest gain of the output limiter since `beginPeriod`.
    private(set) var gain: Float = 1
    /// Whether a sample before the output limiter exceeded full scale since `beginPeriod`.
    private(set) var clipped = false

    /// Makes a stage at rest.
    init(
        kind: OutputGuard, trim: Decibels, sampleRate: Double, gate: UnsafeMutablePointer<PlaybackGate>? = nil,
        inserts: InsertRenderer? = nil, headphones: HeadphoneRenderer? = nil
    ) {
        self.headphones = headphones?.handle.pointer
        self.inserts = inserts?.handle.pointer
        place = inserts?.places.ears ?? 0
        ears = .allocate(capacity: 2)
        self.kind = kind
        self.gate = gate
        self.trim = Float(trim.amplitude)
        instant = InstantGuard(sampleRate: sampleRate)
        lookahead = LookaheadGuard(sampleRate: sampleRate)
        lookahead.reset(fadingFrom: 0, 0)
        latencyFrames = kind == .lookahead ? lookahead.latencyFrames : 0
    }

    deinit { ears.deallocate() }

    /// Whether the gate is open.
    var isOpen: Bool { @_noLocks get { gate?.pointee.isOpen ?? true } }

    /// Resets to the initial state. The last output fades out within 64 frames, or within the look-ahead limiter's
    /// delay. If the last output was silent, the output equals that of a new stage from the first frame on.
    @_noLocks
    mutating func restart() {
        headphones?.pointee.restart()
        instant.reset()
        switch kind {
        case .off, .instant:
            parting = last
            leaving.jump(isIn: !(last == SIMD2(0, 0)))
        case .lookahead:
            lookahead.reset(fadingFrom: last.x, last.y)
        }
    }

    /// Applies the setting of the headphone equalisation from the next sample on. Returns whether the equalisation is
    /// on, or nil without an equalisation.
    @_noLocks
    mutating func beginSlice() -> Bool? { headphones?.pointee.beginSlice() }

    /// Switches the headphone equalisation on or off. Any thread may call it.
    @_noLocks
    func ask(headphonesOn isOn: Bool) { headphones?.pointee.isWanted = isOn }

    /// Resets the meters for a new period.
    @_noLocks
    mutating func beginPeriod() {
        peaks = SIMD2(0, 0)
        gain = 1
        clipped = false
    }

    /// Processes `count` ≥ 1 frames in place.
    @_noLocks
    mutating func process(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int) {
        if trim != 1 {
            Samples.scale(left, by: trim, count: count)
            Samples.scale(right, by: trim, count: count)
        }
        if let inserts, !inserts.pointee.isEmpty {
            ears[0] = left
            ears[1] = right
            inserts.pointee.process(place: place, ears, count: count)
        }
        headphones?.pointee.process(left, right, count: count)
        for i in 0..<min(count, leaving.position) {
            let rest = leaving.line(ahead: i, comes: false)
            left[i] += parting.x * rest
            right[i] += parting.y * rest
        }
        leaving.advance(count, comes: false)
        if Samples.peak(left, count: count) > 1 || Samples.peak(right, count: count) > 1 { clipped = true }
        switch kind {
        case .off: break
        case .instant: gain = min(gain, instant.process(left, right, count: count))
        case .lookahead: gain = min(gain, lookahead.process(left, right, count: count))
        }
        last = SIMD2(left[count - 1], right[count - 1])
        gate?.pointee.process(left, right, count: count)
        let here = SIMD2(Samples.peak(left, count: count), Samples.peak(right, count: count))
        peaks = SIMD2(max(peaks.x, here.x), max(peaks.y, here.y))
    }
}
