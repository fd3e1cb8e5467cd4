import Glibc
import Signal
import Soundstage

/// The product's upmix. Its result is folded down for comparison with the input, see `UpmixTruth`.
final class UpmixContender: Contender {
    let name: String
    let role: Role
    private let work: UpmixWork
    private var upmixer: StereoUpmixer
    private let channels: PlanarBlock
    private let front: (left: Int, right: Int, centre: Int)
    /// Indices of the ambient channels, `[pair][side]`.
    private let ambient: [[Int]]
    private var copies: [DoubleAllPass]

    init(_ work: UpmixWork, mode: UpmixMode, role: Role) throws {
        name = "Proscenium, \(mode.rawValue)"
        self.role = role
        self.work = work
        upmixer = try StereoUpmixer(
            sampleRate: .studio, layout: work.layout, mode: mode, latency: work.latency)
        channels = PlanarBlock(channels: work.layout.channelCount, frames: work.period)
        func index(_ channel: Channel) -> Int? {
            work.layout.loudspeakers.firstIndex { $0.symbol == channel.rawValue }
        }
        front = (index(.frontLeft) ?? 0, index(.frontRight) ?? 0, index(.frontCentre) ?? 0)
        let pairs: [(Channel, Channel)] = [
            (.sideLeft, .sideRight), (.backLeft, .backRight), (.topFrontLeft, .topFrontRight),
            (.topSideLeft, .topSideRight), (.topBackLeft, .topBackRight),
        ]
        let ambient = pairs.compactMap { pair -> [Int]? in
            guard let left = index(pair.0), let right = index(pair.1) else { return nil }
            return [left, right]
        }
        self.ambient = ambient
        copies = (0..<(2 * ambient.count)).map { DoubleAllPass(channel: $0, pairs: ambient.count, sampleRate: .studio) }
    }

    /// Latency from input to output, frames.
    var latency: Int { upmixer.latency }

    func step(_ index: Int, into output: Output) {
        upmixer.process(
            frames: work.period, left: work.samples(0, step: index), right: work.samples(1, step: index),
            into: channels.pointers)
    }

    /// Writes rows `[pair][side]`: the front and the centre, decorrelated like that ambient channel, plus the channel.
    /// The sum is the decorrelated input, because the downmix before the decorrelators is the input.
    func present(in output: Output) {
        let root = 0.5.squareRoot()
        // Copies add by power: each of n pairs carries 1/√n.
        let share = Double(ambient.count).squareRoot()
        for (pair, sides) in ambient.enumerated() {
            for side in 0..<2 {
                let row = output[2 * pair + side]
                let (own, centre) = (channels[side == 0 ? front.left : front.right], channels[front.centre])
                for i in 0..<work.period {
                    let rest = copies[2 * pair + side].next(Double(own[i]) + root * Double(centre[i]))
                    row[i] = Float(rest + root * share * Double(channels[sides[side]][i]))
                }
            }
        }
    }
}

/// The decorrelator of an ambient channel in double precision: on the right second-order all-passes, then cascaded
/// all-passes and a parallel low-pass.
struct DoubleAllPass {
    private var lines: [[Double]]
    private var place = 0
    private let share: Double
    private var low = 0.0
    private let lowGain: Double
    private let dispersion: [(first: Double, second: Double)]
    /// Last two inputs of each section of `dispersion`, and outputs of the last.
    private var past: [(Double, Double)]
    /// Last samples after these sections; empty on the left.
    private var delayed: [Double]

    init(channel: Int, pairs: Int, sampleRate: SampleRate) {
        lowGain = StereoUpmixer.lowGain(pairs: pairs)
        dispersion = channel % 2 == 1 ? StereoUpmixer.dispersion(sampleRate: sampleRate) : []
        past = [(Double, Double)](repeating: (0, 0), count: dispersion.count + 1)
        share = StereoUpmixer.lowShare(sampleRate: sampleRate)
        delayed = [Double](repeating: 0, count: channel % 2 == 1 ? StereoUpmixer.dispersionDelay : 0)
        lines = StereoUpmixer.decorrelatorDelays(ofAmbientChannel: channel).map { [Double](repeating: 0, count: $0) }
    }

    mutating func next(_ sample: Double) -> Double {
        var sample = sample
        for (index, section) in dispersion.enumerated() {
            let (x, y) = (past[index], past[index + 1])
            past[index] = (sample, x.0)
            sample = section.second * (sample - y.1) + section.first * (x.0 - y.0) + x.1
        }
        past[dispersion.count] = (sample, past[dispersion.count].0)
        if !delayed.isEmpty {
            delayed.append(sample)
            sample = delayed.removeFirst()
        }
        low += share * (sample - low)
        var x = sample - low
        for section in lines.indices {
            let g = Double(section % 2 == 0 ? StereoUpmixer.decorrelatorGain : -StereoUpmixer.decorrelatorGain)
            let at = place % lines[section].count
            let late = lines[section][at]
            let now = x + g * late
            lines[section][at] = now
            x = late - g * now
        }
        place += 1
        return lowGain * low + x
    }
}

/// The input, delayed and decorrelated in double precision like each ambient channel.
final class UpmixTruth: Truth {
    let name = "the input: the downmix before the decorrelators, the front decorrelated likewise in double precision"
    private let work: UpmixWork
    private let latency: Int
    private var copies: [DoubleAllPass]

    init(_ work: UpmixWork, latency: Int) {
        self.work = work
        self.latency = latency
        copies = (0..<(2 * work.pairs)).map { DoubleAllPass(channel: $0, pairs: work.pairs, sampleRate: .studio) }
    }

    /// Adds the exact result of step `index`. The steps must be in order from 0.
    func result(ofStep index: Int, rows: inout [[Double]]) {
        for row in 0..<(2 * work.pairs) {
            for i in 0..<work.period {
                rows[row][i] += copies[row].next(work.sample(row % 2, index * work.period + i - latency))
            }
        }
    }
}
