import Geometry
import HRTF
import Signal
import Soundstage

/// Measures the lag, the correlation, and the differences of loudness and spectrum between the two renditions of a
/// programme, multichannel and stereo.
///
/// Blocks are added while both renditions are delivered, and for a second after the multichannel rendition is lost.
/// Results stay when a rendition is lost. Not for the audio thread: a block of 21 ms takes about 1 ms, and one block
/// every 0.7 s takes about 100 ms.
package struct RenditionAnalysis {
    /// Frames per block.
    package static let block = FrontalSpectrum.block

    /// Results so far.
    package private(set) var match = RenditionMatch()
    /// Lag of the stereo rendition behind the multichannel one, in frames with a fraction; nil before it is known.
    package var lag: Double? { delay.lag }
    /// Loudness of the multichannel rendition relative to the stereo one, LU; nil before it is known.
    package var loudnessDifference: Double? { balance.loudnessDifference }
    /// Number of channels of a block.
    package let channelCount: Int

    private var delay: DelayEstimate
    private var balance: RenditionBalance
    private let spectrum: FrontalSpectrum
    private let preview: RenditionPreview
    private let feedCount: Int
    private var isWhole = true
    /// Gain of each multichannel channel in the mono mix.
    private let mixture: [Float]
    /// Mono mixes of the multichannel and of the stereo rendition. The latest frame is last.
    private var first: [Double] = []
    private var second: [Double] = []
    private var untilNext: Int

    /// Makes an analysis of a programme. `field` gives the responses of its loudspeakers at the ears, and
    /// `lowFrequencyGain` is the linear gain of its LFE channels.
    package init(_ programme: Programme, field: FilterField, lowFrequencyGain: Float) throws(UpmixError) {
        let rate = field.sampleRate.hertz
        let loudspeakers = programme.layout.loudspeakers
        feedCount = loudspeakers.count
        channelCount = feedCount + 2
        preview = try RenditionPreview(programme, sampleRate: field.sampleRate, block: Self.block)
        let responses = loudspeakers.map { loudspeaker -> (left: [Float], right: [Float]) in
            let level = Float(loudspeaker.gain.amplitude)
            if loudspeaker.motion == .direct {
                let ears = loudspeaker.earGains
                let lfe = loudspeaker.isLowFrequency ? lowFrequencyGain : 1
                return ([ears.left * lfe], [ears.right * lfe])
            }
            let ears = field.responses(Direction<Head>(unit: loudspeaker.direction.unit))
            return (ears.left.map { $0 * level }, ears.right.map { $0 * level })
        }
        spectrum = FrontalSpectrum(responses: responses, sampleRate: rate)
        mixture = programme.layout.stereoFoldDown.map { $0.left + $0.right }
        delay = DelayEstimate(sampleRate: rate)
        balance = RenditionBalance(
            centres: spectrum.centres, blockSeconds: Double(Self.block) / rate, sampleRate: rate)
        untilNext = delay.segment
    }

    /// Clears the history after a rendition was lost and returned; results stay.
    package mutating func forget() {
        delay.forget()
        balance.forget()
        first = []
        second = []
        untilNext = delay.segment
    }

    /// Analyses the next block, `[row][frame]`. The rows are those of a `RenditionTap`.
    ///
    /// - Parameters:
    ///   - isWhole: whether both renditions are delivered; otherwise only the stereo one is.
    ///   - state: present state of the renditions.
    ///   - upmix: present upmix of stereo.
    package mutating func take(
        _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, isWhole: Bool, state: RenditionState, upmix: UpmixState
    ) {
        if isWhole && !self.isWhole { forget() }
        self.isWhole = isWhole
        preview.take(
            rows, multichannelDelay: state.multichannelDelay, stereoDelay: state.stereoDelay, upmix: upmix)
        let ahead = preview.rows.pointers
        let made = spectrum.powers(ahead)
        let pair = spectrum.powers(left: ahead[2 * feedCount], right: ahead[2 * feedCount + 1])
        guard isWhole else {
            balance.predict(made, pair)
            match.momentaryGain = Float(balance.momentaryGain)
            return
        }
        balance.add(spectrum.powers(ahead + feedCount), made, pair)
        match.stereoGain = Float(balance.usualGain)
        match.momentaryGain = Float(balance.momentaryGain)
        match.colour = balance.colour
        for i in 0..<Self.block {
            var sum = Float(0)
            for channel in mixture.indices where mixture[channel] != 0 { sum += mixture[channel] * rows[channel][i] }
            first.append(Double(sum))
            second.append(Double(rows[feedCount][i] + rows[feedCount + 1][i]))
        }
        let kept = 2 * delay.segment
        if first.count > kept {
            first.removeFirst(first.count - kept)
            second.removeFirst(second.count - kept)
        }
        untilNext -= Self.block
        guard untilNext <= 0 else { return }
        untilNext += delay.segment / 2
        delay.add(Array(first.suffix(delay.segment)), Array(second.suffix(delay.segment)))
        if let lag = delay.lag {
            match.hasLag = true
            match.lag = Int(lag.rounded())
        }
        match.correlation = Float(correlation(offset: state.multichannelDelay - state.stereoDelay))
    }

    /// Returns the normalised correlation, at least 0, of the two mono mixes over the last segment. The first mix is
    /// delayed by `offset` frames relative to the second.
    private func correlation(offset: Int) -> Double {
        let (late, early) = (max(0, offset), max(0, -offset))
        let count = min(delay.segment, first.count - abs(offset))
        guard count > 0 else { return 0 }
        let start = first.count - count
        var (both, one, other) = (0.0, 0.0, 0.0)
        for i in start..<first.count {
            let (a, b) = (first[i - late], second[i - early])
            both += a * b
            one += a * a
            other += b * b
        }
        return one > 0 && other > 0 ? max(0, min(1, both / (one * other).squareRoot())) : 0
    }
}
