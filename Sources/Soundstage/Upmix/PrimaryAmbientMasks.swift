import CKernels
import CRealtime
import Signal

/// Separates a stereo programme, bin by bin, into the centre, other directional sound, and ambience.
///
/// The masks follow from the covariances of left and right, averaged with a time constant of about 0.2 s (0.03 s for a
/// matrix). The squared coherence of independent noise, averaged over N_eff frames and bins, is about 1/N_eff. A
/// multiple of this value is subtracted first. Otherwise noise would get a direction that changes all the time, which
/// sounds as musical noise. There are five masks:
///
/// 0. and 1. `cl`, `cr`: the centre is cl·left + cr·right. In the model left, centre and right are uncorrelated. The
///    common part of both channels therefore belongs to the centre, up to all of the weaker channel. A source between
///    left and middle then leaves nothing in the right channel, and is panned between left and centre. Of all weights
///    that pass the middle with gain 1, these give the least power (Capon, Proc. IEEE 57, 1969), with the ambience as
///    diagonal loading. The weights are then multiplied by the centre's share.
/// 2. to 4. `ll`, `lr`, `rr`: the surrounds are (ll·left + lr·right, lr·left + rr·right). This removes the part along
///    the principal axis. The smaller eigenvalue is the power of the ambience on each side (Goodwin and Jot, ICASSP
///    2007; Faller, J. Audio Eng. Soc. 54, 2006).
struct PrimaryAmbientMasks: ~Copyable {
    /// Number of masks in a set.
    static var count: Int { @_noLocks get { 5 } }
    /// `[mask][bin]`: the masks in order of frequency.
    let rows: PlanarBlock
    private let tuning: UpmixTuning
    private let bins: Int
    /// `[left power, right power, cross re, cross im][bin]`: covariances averaged over time.
    private let memory: PlanarBlock
    /// Sum of both powers of `memory`, with a margin at both ends for the averages over frequency (boxes).
    private let power: PlanarBlock
    /// Sum of both powers of `memory`, averaged over a wide box.
    private let wideMemory: UnsafeMutablePointer<Float>
    /// Recursive mean of `StereoCovariance.wide`, with a time constant of about 0.1 s. The rise of an onset is measured
    /// relative to it.
    private let level: UnsafeMutablePointer<Float>
    /// Squared coherence that is expected by chance, for the surrounds and for the centre.
    private let bias: PlanarBlock
    /// Arguments of the kernel: all rows above, and the parameters.
    let work: UnsafeMutablePointer<prk_upmix_masks>

    /// Makes masks for the covariances of a programme.
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
        // Frames overlap: the correlation time of a window is about half its length. λ = e^{−hop/τ}, so 2τ = −2·hop/ln
        // λ.
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

    /// Updates the masks with one more frame. Cost: about 3 ns per bin with AVX-512.
    @_noLocks
    func follow(_ covariance: borrowing StereoCovariance) {
        prepare(covariance)
        prk_upmix_make_masks(work)
    }

    /// Prepares the kernel's arguments for one more frame.
    @_noLocks
    func prepare(_ covariance: borrowing StereoCovariance) {
        covariance.widen(power[0] + StereoCovariance.margin, into: wideMemory)
        // Bins 90 dB below the total get the direction of the total. Rounding errors have no direction, and the side
        // lobes of a tone have the tone's direction.
        let total = work.pointee.total
        work.pointee.floor = (total.0 * 1e-9 + 1e-14, total.1 * 1e-9 + 1e-14, total.2 * 1e-9, total.3 * 1e-9)
    }
}
