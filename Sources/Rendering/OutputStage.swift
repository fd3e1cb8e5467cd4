import Inserts
import Signal

/// What happens to the two ears after all sources are summed: trim, plugins, the headphones' equalisation, the guard,
/// the gate, and the meters around them.
///
/// Every step gives the same bits however a stream is cut into calls.
struct OutputStage: ~Copyable {
    /// Frames over which the old sound fades where a stream begins anew.
    private static var farewell: Int { @_noLocks get { 64 } }

    private let kind: OutputGuard
    private let trim: Float
    /// Frames the guard delays.
    let latencyFrames: Int
    private var instant: InstantGuard
    private var lookahead: LookaheadGuard
    /// The last samples given out, and how much of their fading is left.
    private var last = SIMD2<Float>(0, 0)
    private var parting = SIMD2<Float>(0, 0)
    private var leaving = Fade(length: OutputStage.farewell, isIn: false)
    /// What mutes the ears when their route is gone; kept by its maker.
    private let gate: UnsafeMutablePointer<PlaybackGate>?
    /// Plugins after the ears, and the two ears as they take them; nil without any.
    private let inserts: UnsafeMutablePointer<InsertStage>?
    private let place: Int
    private let ears: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The headphones' equalisation; kept by its maker.
    private let headphones: UnsafeMutablePointer<HeadphoneStage>?
    /// Largest magnitudes given out since `beginPeriod`.
    private(set) var peaks = SIMD2<Float>(0, 0)
    /// The guard's smallest gain since `beginPeriod`.
    private(set) var gain: Float = 1
    /// A sample was beyond full scale before the guard since `beginPeriod`.
    private(set) var clipped = false

    /// A stage at rest.
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

    /// Whether the gate lets the ears sound.
    var isOpen: Bool { @_noLocks get { gate?.pointee.isOpen ?? true } }

    /// Begins anew as if just made. What sounded last fades to nothing instead of breaking off: within 64 frames, or
    /// within the look-ahead's delay; after silence the output is a fresh stage's from the first frame on.
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

    /// Has the headphones' equalisation be as it is asked for by now, from the next sample on; whether it is to be
    /// heard, nil where there is none.
    @_noLocks
    mutating func beginSlice() -> Bool? { headphones?.pointee.beginSlice() }

    /// Asks for the headphones' equalisation, or not, as any thread may.
    @_noLocks
    func ask(headphonesOn isOn: Bool) { headphones?.pointee.isWanted = isOn }

    /// Clears the meters.
    @_noLocks
    mutating func beginPeriod() {
        peaks = SIMD2(0, 0)
        gain = 1
        clipped = false
    }

    /// Works on `count` ≥ 1 frames in place.
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
