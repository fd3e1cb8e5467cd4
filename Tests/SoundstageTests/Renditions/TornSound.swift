import Foundation
import SeamMeasures
import SeededRandom
import Signal

@testable import Soundstage

/// Sounds for the tearing tests, 48 kHz.
enum TornMaterial: String, CaseIterable, Sendable {
    case tones, lowTone, noise, hum, speech, plucks, squares

    /// Returns `count` samples, the same on every run.
    func sound(_ count: Int, seed: UInt64) -> [Float] {
        var chance = SplitMix(state: seed)
        func sine(_ hertz: Double, _ i: Int) -> Double { sin(2 * .pi * hertz * Double(i) / 48_000) }
        switch self {
        case .tones: return (0..<count).map { Float(0.2 * sine(220, $0) + 0.1 * sine(331, $0)) }
        case .lowTone: return (0..<count).map { Float(0.4 * sine(41.2, $0)) }
        case .noise: return (0..<count).map { _ in Float(0.4 * (chance.unit() - 0.5)) }
        case .hum:
            // Mostly low frequencies, and a little noise.
            var low = 0.0
            return (0..<count).map { i in
                low = 0.999 * low + 0.01 * (chance.unit() - 0.5)
                return Float(0.2 * sine(55, i) + 0.1 * sine(110, i) + low)
            }
        case .speech:
            // A voice that glides, through three resonances, with breath in between.
            var states = [(Double, Double)](repeating: (0, 0), count: 3)
            var phase = 0.0
            return (0..<count).map { i in
                let t = Double(i) / 48_000
                phase += (120 + 40 * sin(2 * .pi * 0.7 * t)) / 48_000
                var drive = phase >= 1 ? 1.0 : 0
                if phase >= 1 { phase -= 1 }
                if sin(2 * .pi * 2.3 * t) < -0.4 { drive = 0.3 * (chance.unit() - 0.5) }
                var sum = 0.0
                for (n, hertz) in [500 + 200 * sin(2 * .pi * 1.1 * t), 1500, 2600].enumerated() {
                    let r = 0.994
                    let y = drive + 2 * r * cos(2 * .pi * hertz / 48_000) * states[n].0 - r * r * states[n].1
                    states[n] = (y, states[n].0)
                    sum += y
                }
                return Float(0.04 * sum)
            }
        case .plucks:
            // Strings (Karplus and Strong), plucked hard about every 90 ms.
            var line = [Double](repeating: 0, count: 400)
            var (at, period, next) = (0, 200, 0)
            return (0..<count).map { i in
                if i == next {
                    period = 110 + Int(chance.unit() * 250)
                    for j in 0..<period { line[j] = 0.4 * (chance.unit() - 0.5) }
                    (at, next) = (0, i + 2000 + Int(chance.unit() * 5000))
                }
                let value = line[at]
                line[at] = 0.498 * (value + line[(at + 1) % period])
                at = (at + 1) % period
                return Float(value)
            }
        case .squares: return (0..<count).map { ($0 / 137) % 2 == 0 ? 0.3 : -0.3 }
        }
    }
}

/// Pattern in which a channel is torn and put back.
struct Tearing {
    var hold = 0
    var period = 256
    /// Most periods from one seam to the next.
    var most = 16
    /// Most frames by which the sound ends before its port does.
    var earlier = 0
    /// Most frames by which the sound begins after its port.
    var later = 0
    /// Share of the seams at which the server loses frames.
    var gaps = 0.0

    /// Returns the sound torn at random from `calm` frames on, the same sound without tearing but without the lost
    /// frames, the seams, and the seams at which frames were lost.
    func play(_ sound: [Float], calm: Int, seed: UInt64) -> (torn: [Float], plain: [Float], seams: [Int], jumps: [Int])
    {
        var chance = SplitMix(state: seed)
        var line = RenditionLine(count: 1, longest: hold, hold: hold, rise: 720)
        let prediction = LinearPrediction()
        let block = PlanarBlock(channels: 2, frames: period)
        let inputs = UnsafeRawPointer(block.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        let connected = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        defer { connected.deallocate() }
        var (torn, plain) = ([Float](), [Float](repeating: 0, count: hold))
        var (seams, jumps) = ([Int](), [Int]())
        var (isHere, left, skipped, silentUntil, silentFrom) = (true, calm / period, 0, 0, Int.max)
        var frame = 0
        while frame + period + skipped <= sound.count {
            var followsGap = false
            if left == 0 {
                left = 1 + Int(chance.unit() * Double(most))
                seams.append(frame + hold)
                if isHere && chance.unit() < gaps {
                    followsGap = true
                    jumps.append(frame + hold)
                    skipped += period * (1 + Int(chance.unit() * 8))
                    if frame + period + skipped > sound.count { break }
                } else {
                    isHere.toggle()
                }
                silentUntil = isHere && !followsGap ? frame + Int(chance.unit() * Double(later)) : 0
                silentFrom = isHere ? frame + left * period - Int(chance.unit() * Double(earlier)) : .max
            }
            connected[0] = isHere
            for i in 0..<period {
                let at = frame + i
                block[0][i] = isHere && at >= silentUntil && at < silentFrom ? sound[at + skipped] : 0
            }
            line.take(inputs, connected: connected, followsGap: followsGap, frames: period, prediction: prediction)
            line.read(0, delay: hold, frames: period, to: block[1])
            torn += (0..<period).map { block[1][$0] }
            plain += (0..<period).map { sound[frame + $0 + skipped] }
            frame += period
            left -= 1
        }
        return (torn, Array(plain.prefix(torn.count)), seams, jumps)
    }
}

/// Artefacts of tearing, dB: the loudest 2 ms above 8 kHz and the largest second difference. The reference is the plain
/// sound's largest value within 30 ms or, where that is more, its 99.5th and 99.9th percentile; it is −90 dBFS at
/// least.
struct TornMetrics {
    /// Level of the worst place, and its frame.
    private(set) var burst: (decibels: Double, frame: Int)
    private(set) var bend: (decibels: Double, frame: Int)

    /// `jumps`: frames at which samples are missing from `plain`; its values there are left out.
    init(_ torn: [Float], over plain: [Float], jumps: [Int], from calm: Int) {
        var (bursts, bends) = (Self.bursts(plain), Self.bends(plain))
        for jump in jumps {
            for k in jump / 96 - 2..<jump / 96 + 3 where bursts.indices.contains(k) { (bursts[k], bends[k]) = (0, 0) }
        }
        burst = Self.worst(Self.bursts(torn), bursts, share: 0.995, from: calm / 96)
        bend = Self.worst(Self.bends(torn), bends, share: 0.999, from: calm / 96)
        burst.frame = burst.frame * 96 + 96
        bend.frame = bend.frame * 96 + 96
    }

    private static func worst(
        _ torn: [Double], _ plain: [Double], share: Double, from calm: Int
    ) -> (decibels: Double, frame: Int) {
        let usual = plain.sorted()[Int(share * Double(plain.count - 1))]
        var worst = (decibels: -Double.infinity, frame: 0)
        for k in calm..<torn.count {
            let here = max(usual, plain[max(0, k - 15)...min(plain.count - 1, k + 15)].max() ?? 0)
            let over = 10 * log10(torn[k] / here)
            if over > worst.decibels { worst = (over, k) }
        }
        return worst
    }

    /// The largest squared second difference of every 2 ms.
    private static func bends(_ x: [Float]) -> [Double] {
        stride(from: 96, to: x.count - 96, by: 96).map { start in
            (start..<start + 96).reduce(1e-9) { most, i in
                let bend = Double(x[i]) - 2 * Double(x[i - 1]) + Double(x[i - 2])
                return max(most, bend * bend)
            }
        }
    }

    /// Energy above 8 kHz of every 2 ms.
    private static func bursts(_ x: [Float]) -> [Double] {
        let high = HighPass.over8kHz(x, 48_000)
        return stride(from: 96, to: x.count - 96, by: 96).map { start in
            high[start..<start + 96].reduce(96 * 1e-9) { $0 + $1 * $1 }
        }
    }
}
