import Convolution
import Signal

/// Upmixes a stereo programme to a stage: front pair, centre and surrounds, and also heights and wides if the layout
/// has them.
///
/// Another thread than the audio thread makes the upmixer. `process` cannot fail, handles any number of frames, and
/// always delays by `latency` frames. Method and results: `Documentation/explanation/upmix.md`.
///
/// With `identity` and `energy` the front pair is L′ = L − √½·C − a·n₁ and R′ = R − √½·C − a·n₂, where C is the centre
/// and n₁, n₂ the ambience left and right. The surrounds are S = b·n, where b is the share of the ambience that they
/// get. With `identity` a = √½·b, so that L′ + √½·C + √½·S = L for any C and n₁, before the decorrelators. With
/// `energy` a = 1 − √(1 − b²), which keeps the power of n; one slow gain over all channels restores the total power.
/// With `matrix`, `MatrixDecoder` makes C and S, and L′ and R′ are L and R minus the matrix encoding of C and S
/// (`MatrixEncoding`).
package struct StereoUpmixer: ~Copyable {
    /// Latency from input to output, frames.
    package let latency: Int
    /// Number of channels of the layout.
    package let channelCount: Int
    /// Amounts. They may be changed between calls of `process`. Changes are smoothed; see `UpmixAmounts`.
    package var controls: UpmixControls

    let tuning: UpmixTuning
    let routing: UpmixRouting
    let keepsIdentity: Bool, keepsEnergy: Bool
    let decorrelates: Bool
    var history: SourceHistory
    var covariance: StereoCovariance
    let masks: PrimaryAmbientMasks
    /// Decoder of a matrix; nil unless the mode is `matrix`.
    let decoder: UnsafeMutablePointer<MatrixDecoder>?
    let filters: UpmixFilters
    var onsets = OnsetFinder()
    var field: UpmixField
    /// `[channel][frame]`: outputs of the last block.
    let outputs: PlanarBlock
    let decorrelators: DecorrelatorBank
    let level: UnsafeMutablePointer<PowerBalance>
    /// Smoothed amounts at the end of the last block.
    var amounts: UpmixAmounts
    /// Frames of the present block that are already filled.
    private var filled = 0
    /// Number of input frames before the present block.
    var position = 0

    /// Largest share of the ambience that leaves the front, as an amplitude.
    static var ambienceLimit: Float { @_noLocks get { 0.96 } }

    /// Returns the delays of the all-passes that decorrelate ambient channel `index`, samples at 48 kHz. Ambient
    /// channels are in pairs: sides, backs, then heights from the front, left before right.
    package static func decorrelatorDelays(ofAmbientChannel index: Int) -> [Int] { UpmixRouting.delays(index) }
    /// Feedback gain of the all-passes. Its sign alternates from section to section.
    package static var decorrelatorGain: Float { DecorrelatorBank.gain }

    /// Returns the coefficients of the second-order all-passes that disperse the phase of right ambient channels, in
    /// their order; see `PhaseDispersion.Section`. A delay of `dispersionDelay` must be added to them.
    package static func dispersion(sampleRate: SampleRate) -> [(first: Double, second: Double)] {
        PhaseDispersion.sections(sampleRate: sampleRate).map { ($0.first, $0.second) }
    }

    /// Delay of right ambient channels in addition to that of their all-passes, samples.
    package static var dispersionDelay: Int { PhaseDispersion.delay }

    /// Returns the coefficient of the first-order low-pass below which all ambient pairs carry the same sound
    /// (`DecorrelatorBank.crossover`). It is the low-pass's step towards the input per sample.
    package static func lowShare(sampleRate: SampleRate) -> Double { DecorrelatorBank.share(sampleRate: sampleRate) }
    /// Returns the gain of the part below this low-pass, relative to the decorrelated part, in each of `pairs` ambient
    /// pairs.
    package static func lowGain(pairs: Int) -> Double { DecorrelatorBank.lowGain(pairs: pairs) }

    /// Makes an upmixer at rest. Takes some milliseconds and about 1 MB.
    ///
    /// - Parameters:
    ///   - layout: The output layout. Rows of `process` are in its channel order.
    ///   - decorrelates: Whether the ambience is decorrelated; ignored for `matrix`. If it is not, the outputs of
    ///     `identity` fold down to the input.
    /// - Throws: `noStage` for a layout without front pair, centre and surrounds.
    package init(
        sampleRate: SampleRate, layout: Layout, mode: UpmixMode = .identity, latency: UpmixLatency = .player,
        controls: UpmixControls = UpmixControls(), decorrelates: Bool = true
    ) throws(UpmixError) {
        let tuning = UpmixTuning(latency, mode, sampleRate: sampleRate)
        let routing = try UpmixRouting(layout)
        self.tuning = tuning
        self.routing = routing
        (keepsIdentity, keepsEnergy) = (mode == .identity, mode == .energy)
        // The sources of a matrix have a direction, so they are not decorrelated.
        let decorrelates = decorrelates && mode != .matrix
        self.decorrelates = decorrelates
        self.latency = tuning.latency
        self.controls = controls
        amounts = UpmixAmounts(controls, step: tuning.piece, sampleRate: sampleRate.hertz)
        channelCount = layout.channelCount
        history = SourceHistory(sourceCount: 2, slice: tuning.block, kept: tuning.frame)
        covariance = StereoCovariance(tuning, sampleRate: sampleRate)
        masks = PrimaryAmbientMasks(tuning, covariance: covariance, sampleRate: sampleRate)
        if mode == .matrix, let encoding = MatrixEncoding(layout) {
            let decoder = UnsafeMutablePointer<MatrixDecoder>.allocate(capacity: 1)
            decoder.initialize(to: MatrixDecoder(encoding, layout, memory: masks))
            filters = UpmixFilters(tuning, count: 2 * decoder.pointee.sourceCount)
            field = UpmixField(tuning, matrixSources: decoder.pointee.sourceCount)
            self.decoder = decoder
        } else {
            filters = UpmixFilters(tuning, count: PrimaryAmbientMasks.count)
            field = UpmixField(tuning)
            decoder = nil
        }
        outputs = PlanarBlock(channels: layout.channelCount, frames: tuning.block)
        decorrelators = DecorrelatorBank(
            count: decorrelates ? 2 * routing.pairs : 0, sampleRate: sampleRate, keepsLow: decorrelates,
            block: tuning.block)
        level = .allocate(capacity: 1)
        level.initialize(to: PowerBalance(block: tuning.block, sampleRate: sampleRate))
    }

    deinit {
        level.deallocate()
        decoder?.deinitialize(count: 1)
        decoder?.deallocate()
    }

    /// Clears all state. The next frame counts as the first.
    @_noLocks
    package mutating func reset() {
        history.reset()
        masks.reset()
        onsets.reset()
        filters.reset()
        field.reset()
        decorrelators.reset()
        level.pointee.reset()
        for channel in 0..<channelCount { Samples.clear(outputs[channel], count: tuning.block) }
        amounts.jump(to: controls)
        (filled, position) = (0, 0)
    }

    /// Upmixes the next `frames` frames of a programme into `rows`, one row per channel of the layout.
    ///
    /// Inputs must not overlap the rows. A mono programme is passed as both inputs. Samples that are not finite count
    /// as silence. Suitable for the audio thread. Most of the cost arises once per block; see
    /// `Documentation/explanation/upmix.md`.
    @_noLocks
    package mutating func process(
        frames: Int, left: UnsafePointer<Float>, right: UnsafePointer<Float>,
        into rows: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
        var done = 0
        while done < frames {
            let count = min(frames - done, tuning.block - filled)
            _ = Samples.cleanse(left + done, to: history.samples(ofSource: 0) + filled, count: count)
            _ = Samples.cleanse(right + done, to: history.samples(ofSource: 1) + filled, count: count)
            for channel in 0..<channelCount {
                Samples.copy(outputs[channel] + filled, to: rows[channel] + done, count: count)
            }
            done += count
            filled += count
            guard filled == tuning.block else { continue }
            filled = 0
            position += tuning.block
            upmix(history.window(tuning.frame))
            history.advance()
        }
    }
}
