import Foundation
import Metering
import Soundstage

/// Gain and colour that give the stereo rendition the loudness and spectrum of the multichannel one.
///
/// The renditions are compared at the ears, in third octaves. The first is the multichannel rendition, the second the
/// stereo rendition. The long-term difference gives the gains of eight bands; it is averaged over 5 s, while both
/// exceed −50 LUFS. The difference that remains in the last 40 ms would be audible at a hand-over to the second, so
/// that `momentaryGain` compensates for it. In silence the long-term values stay, and the momentary gain equals the
/// long-term gain. Values exist after three seconds of sound.
struct RenditionBalance {
    /// Long-term loudness of the first relative to the second, LU; nil before it is known.
    private(set) var loudnessDifference: Double?
    /// Gain on the second, in addition to `colour`, that makes both equally loud in the long term, dB.
    private(set) var usualGain = 0.0
    /// Gain on the second, in addition to `colour`, that makes both equally loud in the last 40 ms, dB. After the first
    /// is lost, its predicted loudness is used.
    private(set) var momentaryGain = 0.0
    /// Gains of the bands on the second.
    private(set) var colour = RenditionColour()

    private let blockSeconds: Double
    private let momentary: Int
    private let gated: Int
    /// Band of each third octave, and the complex share of each band in it (`RenditionColour.shares`).
    private let octaves: [Int]
    private let shares: [[(real: Double, imaginary: Double)]]
    private var recent: [(first: [Double], second: [Double])] = []
    private var first: [Double]
    private var second: [Double]
    private var heard = 0
    private var prediction = LoudnessPrediction(bands: RenditionColour.bandCount)
    private var predicted: [(loud: Double, made: Double)] = []
    private var gains = [Double](repeating: 1, count: RenditionColour.bandCount)
    /// Power gain of `colour` in each of the second's third octaves.
    private var response: [Double]

    /// Loudness below which nothing is compared, LUFS.
    private static let gate = -50.0
    /// Averaging time of the long-term values, and duration of sound before there are values, seconds.
    private static let memory = 5.0, enough = 3.0
    /// Share of the long-term power below which the last 40 ms have little weight.
    private static let faint = 0.003
    /// Weight of the prediction against the long-term gain.
    private static let trust = 0.7
    /// Share of the total power below which a band has little weight, because its gain is inaudible.
    private static let floor = 1e-3
    /// Largest difference of a band's gain from the gain of the whole, dB.
    private static let most = 6.0

    /// Makes a balance for third octaves around `centres`, Hz, and blocks of `blockSeconds`.
    init(centres: [Double], blockSeconds: Double, sampleRate: Double) {
        self.blockSeconds = blockSeconds
        momentary = max(1, Int((0.04 / blockSeconds).rounded()))
        gated = max(momentary, Int((0.4 / blockSeconds).rounded()))
        octaves = centres.map { centre in RenditionColour.edges.filter { $0 < centre }.count }
        shares = centres.map { RenditionColour.shares(of: $0, sampleRate: sampleRate) }
        first = [Double](repeating: 0, count: centres.count)
        second = first
        response = [Double](repeating: 1, count: centres.count)
    }

    /// Clears the history; results stay.
    mutating func forget() {
        recent = []
        heard = 0
    }

    /// Adds the mean squares of the next block, `[third octave]`, and the powers of the second's two channels.
    mutating func add(_ first: [Double], _ second: [Double], _ pair: FrontalSpectrum.Pair) {
        predicted = []
        recent.append((first, second))
        if recent.count > gated { recent.removeFirst() }
        let isLoud =
            recent.count == gated && loudness(recent.map { $0.first }) > Self.gate
            && loudness(recent.map { $0.second }) > Self.gate
        guard isLoud else {
            momentaryGain = usualGain
            return
        }
        heard += 1
        let share = max(1 / Double(heard), blockSeconds / Self.memory)
        for k in first.indices {
            self.first[k] += share * (first[k] - self.first[k])
            self.second[k] += share * (second[k] - self.second[k])
        }
        prediction.learn(
            LoudnessPrediction.parts(pair, in: octaves, bands: RenditionColour.bandCount),
            loudness: first.reduce(0, +), share: share)
        guard Double(heard) * blockSeconds >= Self.enough else { return }
        let (one, other) = (self.first.reduce(0, +), self.second.reduce(0, +))
        loudnessDifference = Self.decibels(one / other)
        if heard % 4 == 0 || usualGain == 0 { solve(one, other) }
        let newest = recent.suffix(momentary)
        var (loud, made) = (0.0, 0.0)
        for block in newest {
            for k in response.indices {
                loud += block.first[k]
                made += response[k] * block.second[k]
            }
        }
        momentaryGain = gain(loud, made, blocks: newest.count)
    }

    /// Returns the gain from the power `made` to the power `loud`, dB. Both are sums over `blocks` blocks. If both are
    /// faint, the result approaches the long-term gain.
    private func gain(_ loud: Double, _ made: Double, blocks: Int) -> Double {
        let faint = Self.faint * Double(blocks) * first.reduce(0, +)
        return Self.decibels((loud + faint) / (made + faint * pow(10, -usualGain / 10)))
    }

    /// Predicts the momentary gain from the next block of the second, after the first is lost. Does nothing before
    /// values exist.
    mutating func predict(_ second: [Double], _ pair: FrontalSpectrum.Pair) {
        guard loudnessDifference != nil else { return }
        let power = prediction.loudness(
            of: LoudnessPrediction.parts(pair, in: octaves, bands: RenditionColour.bandCount))
        predicted.append((power, zip(response, second).reduce(0) { $0 + $1.0 * $1.1 }))
        if predicted.count > momentary { predicted.removeFirst() }
        let (loud, made) = predicted.reduce((0.0, 0.0)) { ($0.0 + $1.loud, $0.1 + $1.made) }
        momentaryGain = usualGain + Self.trust * (gain(loud, made, blocks: predicted.count) - usualGain)
    }

    /// Computes the gains that give the second the power of the first in every band, and the long-term gain. `one` and
    /// `other` are the total powers of the first and of the second.
    private mutating func solve(_ one: Double, _ other: Double) {
        let bands = RenditionColour.bandCount
        var wanted = [Double](repeating: 0, count: bands)
        var there = wanted
        let floor = Self.floor / Double(first.count)
        for (k, octave) in octaves.enumerated() {
            wanted[octave] += first[k]
            there[octave] += second[k]
        }
        for band in 0..<bands {
            wanted[band] = (wanted[band] + Self.floor * one) / (there[band] + Self.floor * other)
        }
        for _ in 0..<8 {
            let made = Self.response(gains, shares)
            for band in 0..<bands {
                var (coloured, plain) = (0.0, 0.0)
                for (k, octave) in octaves.enumerated() where octave == band {
                    coloured += made[k] * (second[k] + floor * other)
                    plain += second[k] + floor * other
                }
                if plain > 0 && coloured > 0 { gains[band] *= pow(wanted[band] * plain / coloured, 0.35) }
            }
        }
        let whole = Self.decibels(one / other)
        for band in 0..<bands {
            let gain = max(-Self.most, min(Self.most, 2 * Self.decibels(gains[band]) - whole))
            colour[band] = Float(gain)
            gains[band] = pow(10, (gain + whole) / 20)
        }
        response = Self.response((0..<bands).map { pow(10, Double(colour[$0]) / 20) }, shares)
        usualGain = Self.decibels(one / zip(response, second).reduce(0) { $0 + $1.0 * $1.1 })
    }

    /// Returns the power gain in each third octave for given gains of the bands.
    private static func response(
        _ gains: [Double], _ shares: [[(real: Double, imaginary: Double)]]
    ) -> [Double] {
        shares.map { shares in
            var (real, imaginary) = (0.0, 0.0)
            for (gain, share) in zip(gains, shares) {
                real += gain * share.real
                imaginary += gain * share.imaginary
            }
            return real * real + imaginary * imaginary
        }
    }

    private static func decibels(_ power: Double) -> Double { 10 * log10(max(1e-20, power)) }

    private func loudness(_ blocks: [[Double]]) -> Double {
        KWeighting.loudness(power: max(1e-20, blocks.reduce(0) { $0 + $1.reduce(0, +) } / Double(blocks.count)))
    }
}
