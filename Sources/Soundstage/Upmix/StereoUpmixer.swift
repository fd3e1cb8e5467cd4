import Convolution
import Signal

/// Upmixes a stereo programme to a stage: front pair, centre, surrounds, and heights and wides where the layout has
/// them.
///
/// Prepared off the audio thread; `process` is total, takes any number of frames, and delays by `latency` frames
/// whatever they are. How it works and what it reaches: `Documentation/upmix.md`.
///
/// With `identity` and `energy` L′ = L − √½·C − a·n₁ and R′ = R − √½·C − a·n₂, where C is the centre and n the
/// ambience. With `identity` the surrounds are S = b·n and a = √½·b, so that L′ + √½·C + √½·S = L for any C and n; the
/// decorrelators come after. With `energy` a = 1 − √(1 − b²), which keeps the power of n, and one slow gain over all
/// channels makes up for the rest. With `matrix` C and S are what `MatrixDecoder` finds, and L′ and R′ are what is left
/// of L and R once `MatrixEncoding` has put them back.
package struct StereoUpmixer: ~Copyable {
    /// Frames from input to output.
    package let latency: Int
    /// Channels of the layout.
    package let channelCount: Int
    /// Amounts; may be changed between calls of `process`, and are followed smoothly, see `UpmixAmounts`.
    package var controls: UpmixControls

    let tuning: UpmixTuning
    let routing: UpmixRouting
    let keepsIdentity: Bool, keepsEnergy: Bool
    let decorrelates: Bool
    var history: SourceHistory
    var covariance: StereoCovariance
    let masks: PrimaryAmbientMasks
    /// What decodes two channels that hold more; nil but with `matrix`.
    let decoder: UnsafeMutablePointer<MatrixDecoder>?
    let filters: UpmixFilters
    var onsets = OnsetFinder()
    var field: UpmixField
    /// Outputs of the last block, `[channel][frame]`.
    let outputs: PlanarBlock
    let decorrelators: DecorrelatorBank
    let level: UnsafeMutablePointer<PowerBalance>
    /// Amounts as they are heard, at the end of the last block.
    var amounts: UpmixAmounts
    /// Frames of the current block that are filled.
    private var filled = 0
    /// Frames heard when the current block began.
    var position = 0

    /// The most of the ambience that leaves the front, as an amplitude.
    static var ambienceLimit: Float { @_noLocks get { 0.96 } }

    /// Delays of the all-passes that decorrelate ambient channel `index` at 48 kHz, in samples: pairs in the order
    /// sides, backs, heights from the front, left before right.
    package static func decorrelatorDelays(ofAmbientChannel index: Int) -> [Int] { UpmixRouting.delays(index) }
    /// Their gain; its sign alternates.
    package static var decorrelatorGain: Float { DecorrelatorBank.gain }

    /// Ambience below `DecorrelatorBank.crossover` is not decorrelated, by a low-pass of first order: its share of the
    /// way in a sample.
    package static func lowShare(sampleRate: SampleRate) -> Double { DecorrelatorBank.share(sampleRate: sampleRate) }
    /// What each of so many ambient pairs has of that low part, against what is decorrelated.
    package static func lowGain(pairs: Int) -> Double { DecorrelatorBank.lowGain(pairs: pairs) }

    /// An upmixer that has heard nothing. Some milliseconds; memory about 1 MB.
    ///
    /// - Parameters:
    ///   - layout: where the programme goes; rows of `process` are in its channel order.
    ///   - decorrelates: false leaves out the decorrelators, which shows the identity at the outputs.
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
        // What a matrix holds has a direction.
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

    /// Forgets everything heard; the next frame is the first.
    @_noLocks
    package mutating func reset() {
        history.reset()
        masks.reset()
        onsets.reset()
        field.reset()
        decorrelators.reset()
        level.pointee.reset()
        for channel in 0..<channelCount { Samples.clear(outputs[channel], count: tuning.block) }
        amounts.jump(to: controls)
        (filled, position) = (0, 0)
    }

    /// Upmixes the next `frames` of a programme into `rows`, one per channel of the layout.
    ///
    /// Inputs may not overlap the rows; a programme in one channel is passed as both. Samples that are not finite count
    /// as silence. Audio thread; cost: see `Documentation/upmix.md`, most of it once in a block.
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
