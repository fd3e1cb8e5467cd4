import CKernels
import CRealtime
import Signal

/// Separates a stereo programme, bin by bin, into the centre, other directional sound, and ambience.
///
/// The masks follow from the covariances of left and right over some tens of milliseconds. Independent noise averaged
/// over N_eff frames and bins has a squared coherence of about 1/N_eff. That is subtracted first; otherwise noise would
/// have a direction that changes all the time: musical noise. Five masks result:
///
/// 0. and 1. `cl`, `cr`: the centre is cl·left + cr·right. The model has uncorrelated left, centre and right, so the
///    common part of both channels is the centre's, up to all of the weaker channel. A source between left and
///    middle then leaves nothing in the right channel and is panned between left and centre. The weights
///    have the least power that passes the middle at gain 1 (Capon, Proc. IEEE 57, 1969), with the ambience as diagonal
///    loading, times the centre's share.
/// 2. to 4. `ll`, `lr`, `rr`: the surrounds are (ll·left + lr·right, lr·left + rr·right), the projection off the
///    principal axis; the smaller eigenvalue is ambience on either side (Goodwin and Jot, ICASSP 2007; Faller, J. Audio
///    Eng. Soc. 54, 2006).
struct PrimaryAmbientMasks: ~Copyable {
    /// Number of masks in a set.
    static var count: Int { @_noLocks get { 5 } }
    /// The masks in order of frequency, `[mask][bin]`.
    let rows: PlanarBlock
    private let tuning: UpmixTuning
    private let bins: Int
    /// Covariances with memory, `[left power, right power, cross re, cross im][bin]`.
    private let memory: PlanarBlock
    /// Sum of both powers of the memory, with a margin on either side for the boxes.
    private let power: PlanarBlock
    private let wideMemory: UnsafeMutablePointer<Float>
    /// Average of the wide power over a longer time, the reference for an onset's rise.
    private let level: UnsafeMutablePointer<Float>
    /// Squared coherence expected by chance, for the surrounds and for the centre.
    private let bias: PlanarBlock
    /// Arguments of the kernel: all of these, and the parameters.
    let work: UnsafeMutablePointer<prk_upmix_masks>

    /// Makes masks for the covariances of a programme at a rate.
    init(_ tuning: UpmixTuning, covariance: borrowing StereoCovariance, sampleRate: SampleRate) {
        self.tuning = tuning
        bins = covariance.bins
        rows = PlanarBlock(channels: Self.count, frames: bins)
        memory = PlanarBlock(channels: 4, frames: bins)
        power = PlanarBlock(channels: 1, frames: bins + 2 * StereoCovariance.margin)
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
        work = .allocate(capacity: 1)
        typealias Row = UnsafeMutablePointer<Float>
        func four(_ block: borrowing PlanarBlock) -> (Row?, Row?, Row?, Row?) {
            (block[0], block[1], block[2], block[3])
        }
        let smooth = four(covariance.smooth)
        work.initialize(
            to: prk_upmix_masks(
                bins: bins, smooth: (.init(smooth.0), .init(smooth.1), .init(smooth.2), .init(smooth.3)),
                wide: covariance.wide,
                wide_memory: wideMemory, memory: four(memory),
                power: power[0] + StereoCovariance.margin, level: level, ambience_bias: bias[0],
                centre_bias: bias[1], masks: (rows[0], rows[1], rows[2], rows[3], rows[4]), floor: (0, 0, 0, 0),
                total: (0, 0, 0, 0), forgetting: tuning.memory, fall_ratio: tuning.fallRatio,
                level_forgetting: tuning.levelMemory, rise: tuning.rise, similarity: tuning.similarity.from,
                similarity_scale: 1 / (tuning.similarity.to - tuning.similarity.from),
                centre_rest: tuning.centreRest, centre_load: tuning.centreLoad,
                centre_squared: tuning.squaresCentre ? 1 : 0, primary_roots: Int32(tuning.primaryRoots)))
    }

    deinit {
        wideMemory.deallocate()
        level.deallocate()
        work.deallocate()
    }

    /// Clears all state.
    @_noLocks
    func reset() {
        for row in 0..<4 { Samples.clear(memory[row], count: bins) }
        Samples.clear(power[0], count: bins + 2 * StereoCovariance.margin)
        for bin in 0..<bins { level[bin] = 1e-12 }
        work.pointee.total = (0, 0, 0, 0)
    }

    /// Updates the masks by one more frame. Cost: about 3 ns per bin with AVX-512.
    @_noLocks
    func follow(_ covariance: borrowing StereoCovariance) {
        prepare(covariance)
        prk_upmix_make_masks(work)
    }

    /// Prepares the kernel's arguments for one more frame.
    @_noLocks
    func prepare(_ covariance: borrowing StereoCovariance) {
        covariance.widen(power[0] + StereoCovariance.margin, into: wideMemory)
        // Bins 90 dB below the total get the total's direction: rounding errors have none, and a tone's skirts have the
        // tone's.
        let total = work.pointee.total
        work.pointee.floor = (total.0 * 1e-9 + 1e-14, total.1 * 1e-9 + 1e-14, total.2 * 1e-9, total.3 * 1e-9)
    }
}
