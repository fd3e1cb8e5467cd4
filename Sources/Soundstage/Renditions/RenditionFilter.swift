import CRealtime

/// Filter that gives the stereo rendition the measured spectrum (`RenditionColour`). It filters the rendition's feeds,
/// one for each loudspeaker.
///
/// For the input x, the output is y = g₈·x + Σ (gᵦ − g₈)·xᵦ, where the bands xᵦ add up to x and have the gains gᵦ. The
/// filter has no delay, and y = x if all gains are 1. It runs while stereo is heard, and starts from rest; the
/// crossfade masks its transient. Gains change by 3 dB/s for two seconds after a hand-over (a change of rendition),
/// later by 1 dB/s. They jump while stereo is not heard. The output does not depend on how a stream is divided into
/// calls. Only the audio thread uses the filter.
struct RenditionFilter: ~Copyable {
    private static var splits: Int { @_noLocks get { 7 } }

    /// Largest correction of a band, dB.
    static var most: Float { @_noLocks get { 6 } }

    private let groupCount: Int
    /// `[group][split]`: states of the filters of four channels.
    private let states: UnsafeMutablePointer<SIMD4<Float>>
    /// `[split]`: coefficient g/(1 + g) with g = tan(π·edge/rate), of a one-pole low-pass.
    private let slopes: UnsafeMutablePointer<Float>
    /// `[band]`: linear gain in force.
    private var gains = SIMD8<Float>(repeating: 1)
    /// `[band]`: target of the gain, linear.
    private var wanted = SIMD8<Float>(repeating: 1)
    private var colour = RenditionColour()
    /// Frames since the last hand-over; very many before the first.
    private var frames = Int.max / 2
    private let pace: RenditionPace

    /// Makes a neutral filter for `feedCount` feeds.
    init(feedCount: Int, sampleRate: Double) {
        groupCount = (feedCount + 3) / 4
        states = .allocate(capacity: max(1, groupCount) * Self.splits)
        states.initialize(repeating: .zero, count: max(1, groupCount) * Self.splits)
        slopes = .allocate(capacity: Self.splits)
        for (i, edge) in RenditionColour.edges.enumerated() {
            let angle = Double.pi * min(edge, 0.45 * sampleRate) / sampleRate
            let g = prc_sin(angle) / prc_cos(angle)
            (slopes + i).initialize(to: Float(g / (1 + g)))
        }
        pace = RenditionPace(sampleRate: sampleRate)
    }

    deinit {
        states.deallocate()
        slopes.deallocate()
    }

    /// Sets the target colour.
    @_noLocks
    mutating func aim(_ asked: RenditionColour) {
        var isNew = false
        for band in 0..<RenditionColour.bandCount where colour[band] != asked[band] { isNew = true }
        guard isNew else { return }
        colour = asked
        for band in 0..<RenditionColour.bandCount {
            let decibels = Double(max(-Self.most, min(Self.most, asked[band])))
            wanted[band] = Float(prc_exp(decibels * 2.302_585_092_994_046 / 20))
        }
    }

    /// Sets the gains to their targets and clears the state. Call while stereo is not heard.
    @_noLocks
    mutating func jump() {
        gains = wanted
        for i in 0..<groupCount * Self.splits { states[i] = .zero }
    }

    /// Begins the fast phase of the gains, at a hand-over.
    @_noLocks
    mutating func hurry() { frames = 0 }

    /// Filters the next `length` frames of all `count` feeds.
    @_noLocks
    mutating func apply(to rows: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, frames length: Int) {
        let (start, first) = (frames, gains)
        for group in 0..<groupCount {
            // Past the last row, the last row is used again. The same result is then written several times.
            let last = count - 1
            let (a, b) = (rows[4 * group], rows[min(last, 4 * group + 1)])
            let (c, d) = (rows[min(last, 4 * group + 2)], rows[min(last, 4 * group + 3)])
            let state = states + group * Self.splits
            (frames, gains) = (start, first)
            for i in 0..<length {
                move()
                let x = SIMD4(a[i], b[i], c[i], d[i])
                let top = gains[7]
                var (left, sum) = (x, top * x)
                for split in 0..<Self.splits {
                    let step = (left - state[split]) * slopes[split]
                    let band = state[split] + step
                    state[split] = band + step
                    sum += (gains[split] - top) * band
                    left -= band
                }
                (d[i], c[i], b[i], a[i]) = (sum.w, sum.z, sum.y, sum.x)
            }
        }
    }

    /// Advances the gains by one frame.
    @_noLocks
    private mutating func move() {
        let step = pace.step(frames, isLoudness: false)
        frames &+= frames < Int.max / 2 ? 1 : 0
        if gains == wanted { return }
        for band in 0..<8 {
            let gain = gains[band]
            gains[band] = gain < wanted[band] ? min(wanted[band], gain * step) : max(wanted[band], gain / step)
        }
    }
}
