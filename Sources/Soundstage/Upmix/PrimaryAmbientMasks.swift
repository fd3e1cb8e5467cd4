import CRealtime
import Signal

/// Divides a stereo programme, bin by bin, into what stands in the middle, other sound with a direction, and ambience.
///
/// Of the covariances of left and right over some tens of milliseconds the principal axis is what has a direction, and the
/// smaller eigenvalue is ambience on either side (Goodwin and Jot, ICASSP 2007; Faller, J. Audio Eng. Soc. 54, 2006).
/// Independent noise averaged over N_eff frames and bins shows a squared coherence of about 1/N_eff; that is subtracted
/// before anything is derived from it, or noise would have a direction that changes all the time: musical noise.
/// Four masks result, each 0…1 but for the third:
///
/// 0. `centre`: of (left + right)/√2 what stands in the middle;
/// 1. to 3. `ll`, `lr`, `rr`: the surrounds are (ll·left + lr·right, lr·left + rr·right), the projection off the axis.
struct PrimaryAmbientMasks: ~Copyable {
    /// The masks in order of frequency, `[mask][bin]`.
    let rows: PlanarBlock
    private let tuning: UpmixTuning
    private let bins: Int
    /// `[left power, right power, cross re, cross im, both powers, wide power][bin]`.
    private let memory: PlanarBlock
    private let wideMemory: UnsafeMutablePointer<Float>
    /// The wide power over a longer while: what a sound rises above at its onset.
    private let level: UnsafeMutablePointer<Float>
    /// Excess of squared coherence by chance, for the surrounds and for the centre.
    private let bias: PlanarBlock

    /// Bins by the vector.
    private typealias Lane = SIMD8<Float>

    /// Masks for the covariances of a programme at a rate.
    init(_ tuning: UpmixTuning, covariance: borrowing StereoCovariance, sampleRate: SampleRate) {
        self.tuning = tuning
        bins = covariance.bins
        rows = PlanarBlock(channels: 4, frames: bins)
        memory = PlanarBlock(channels: 5, frames: bins)
        wideMemory = AlignedMemory.allocate(Float.self, count: bins)
        wideMemory.initialize(repeating: 0, count: bins)
        level = AlignedMemory.allocate(Float.self, count: bins)
        level.initialize(repeating: 1e-12, count: bins)
        bias = PlanarBlock(channels: 2, frames: bins)
        // Frames overlap: a window's correlation time is about half its length. λ = e^{−hop/τ}, so 2τ = −2·hop/ln λ.
        let span = -2 * Double(tuning.hop) / prc_log(Double(tuning.memory))
        let frames = max(1, span / (0.52 * Double(tuning.frame)))
        for bin in 0..<bins {
            let count = Float(frames) * covariance.independence[bin]
            bias[0][bin] = min(0.9, tuning.ambienceBias / count)
            bias[1][bin] = min(0.9, tuning.centreBias / count)
        }
    }

    deinit {
        wideMemory.deallocate()
        level.deallocate()
    }

    /// Forgets everything heard.
    @_noLocks
    func reset() {
        for row in 0..<5 { Samples.clear(memory[row], count: bins) }
        for bin in 0..<bins { level[bin] = 1e-12 }
    }

    /// Follows one more frame. Cost: about 10 ns per bin.
    @_noLocks
    func follow(_ covariance: borrowing StereoCovariance) {
        // What is 90 dB below the whole takes the whole's direction: rounding has none, a tone's skirts have the tone's.
        var total = SIMD4<Float>()
        for bin in 0..<bins {
            memory[4][bin] = memory[0][bin] + memory[1][bin]
            total += SIMD4(memory[0][bin], memory[1][bin], memory[2][bin], memory[3][bin])
        }
        total *= 1e-9
        covariance.widen(memory[4], into: wideMemory)
        for start in stride(from: 0, to: bins, by: Lane.scalarCount) {
            remember(covariance, start, total + SIMD4(1e-14, 1e-14, 0, 0))
        }
    }

    /// One vector of bins: the memory, then the masks.
    @_noLocks
    @inline(__always)
    private func remember(_ covariance: borrowing StereoCovariance, _ start: Int, _ floor: SIMD4<Float>) {
        func load(_ row: UnsafeMutablePointer<Float>) -> Lane {
            UnsafeMutableRawPointer(row + start).loadUnaligned(as: Lane.self)
        }
        func store(_ value: Lane, _ row: UnsafeMutablePointer<Float>) {
            UnsafeMutableRawPointer(row + start).storeBytes(of: value, as: Lane.self)
        }
        let one = Lane(repeating: 1)
        let wide = load(covariance.wide)
        // Where the power has fallen far below the memory, the memory falls with it.
        let allowed = wide * tuning.fallRatio
        let kept = pointwiseMin(one, allowed / (load(wideMemory) + 1e-30)) * tuning.memory
        let fresh = 1 - tuning.memory
        let ll = load(memory[0]) * kept + load(covariance.smooth[0]) * fresh
        let rr = load(memory[1]) * kept + load(covariance.smooth[1]) * fresh
        let re = load(memory[2]) * kept + load(covariance.smooth[2]) * fresh
        let im = load(memory[3]) * kept + load(covariance.smooth[3]) * fresh
        store(ll, memory[0])
        store(rr, memory[1])
        store(re, memory[2])
        store(im, memory[3])

        let (left, right, along, across) = (ll + floor.x, rr + floor.y, re + floor.z, im + floor.w)
        let sum = left + right
        let difference = left - right
        let coherence = pointwiseMin(one, (along * along + across * across) / (left * right + 1e-37))
        func debiased(_ bias: Lane) -> Lane {
            let rest = pointwiseMax(Lane(), (coherence - bias) / (1 - bias))
            return along * Self.root(rest / (coherence + 1e-12))
        }
        // The middle: cos of the distance of the axis from it, and the share of the first eigenvalue above the second.
        let middle = debiased(load(bias[1]))
        let middleSpread = Self.root(difference * difference + 4 * middle * middle) + 1e-30
        let similarity = pointwiseMax(Lane(), 2 * middle / middleSpread)
        let weight = pointwiseMax(
            Lane(),
            pointwiseMin(one, (similarity - tuning.similarity.from) / (tuning.similarity.to - tuning.similarity.from)))
        let share = 2 * middleSpread / (sum + middleSpread)
        var centre = weight * weight * (3 - 2 * weight)
        if tuning.centreHalves & 1 != 0 { centre *= Self.root(share) }
        if tuning.centreHalves & 2 != 0 { centre *= share }
        if tuning.centreHalves & 4 != 0 { centre *= share * share }
        store(pointwiseMin(one, centre), rows[0])

        // Off the axis: 1 − g·v·vᵀ, held back where the sound rises: what begins is not ambience.
        let cross = debiased(load(bias[0]))
        let spread = Self.root(difference * difference + 4 * cross * cross) + 1e-30
        var primary = pointwiseMin(one, 2 * spread / (sum + spread))
        for _ in 0..<tuning.primaryRoots { primary = Self.root(primary) }
        let past = load(level)
        let held = pointwiseMin(one, tuning.rise * past / (wide + 1e-14))
        store(past * tuning.levelMemory + wide * (1 - tuning.levelMemory), level)
        let leftShare = 0.5 * (1 + difference / spread)
        store(held * (1 - primary * leftShare), rows[1])
        store(-held * primary * cross / spread, rows[2])
        store(held * (1 - primary * (1 - leftShare)), rows[3])
    }

    /// The square root of each element.
    @_noLocks
    @inline(__always)
    private static func root(_ x: Lane) -> Lane {
        var result = Lane()
        for i in 0..<Lane.scalarCount { result[i] = prc_sqrtf(x[i]) }
        return result
    }
}
