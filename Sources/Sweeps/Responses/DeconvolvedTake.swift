import Glibc
import HRTF

/// A take (one recording of the sweeps at both ears) after deconvolution. The response of each loudspeaker lies at the
/// frame at which the loudspeaker's sweep starts.
///
/// The whole take is deconvolved at once; the response of each loudspeaker is then cut out. O(n log n) for n frames;
/// off the audio thread.
struct DeconvolvedTake {
    let plan: TakePlan
    /// Difference of the two clocks, and change of the interaural time difference during the take, both found from the
    /// pilots. Nil if the take has no pilots, or if they are not found.
    let drift: ClockDrift?
    /// Frames from a sweep's start to the first direct sound of the take: that of the nearest loudspeaker.
    let latency: Int
    /// Recordings of both ears, resampled to the playing clock, without the pilots.
    let ears: (left: [Float], right: [Float])
    /// Both ears' responses, circular; see `SweepInverse`.
    let responses: (left: [Double], right: [Double])
    /// Part of the recording before the first sound, not resampled.
    private let silence: (left: [Float], right: [Float])
    private let inverse: SweepInverse

    /// Longest time from the start of a sweep to its direct sound, seconds: latency of the devices and travel time of
    /// the sound.
    static let longestLatency = 1.0
    /// Time before the direct sound that a response contains, seconds.
    static let lead = 0.005

    /// Deconvolves a recording whose frame 0 is the first of the plan.
    ///
    /// - Throws: `recording` if the recording ends before the last sweep, its ears differ in length, its samples are
    ///   not finite or reach +120 dBFS, or the difference of the clocks cannot be removed.
    init(_ plan: TakePlan, left: [Float], right: [Float]) throws(SweepError) {
        let rate = plan.sweep.sampleRate
        let end = (plan.parts.last?.start ?? 0) + plan.sweep.samples.count
        guard left.count == right.count, left.count >= end else {
            throw .recording(
                "the recording lasts \(tenths(Double(left.count) / rate)) s, its sweeps end after "
                    + "\(tenths(Double(end) / rate)) s: it was cut off, or belongs to another sweep")
        }
        guard left.allSatisfy({ abs($0) < 1e6 }), right.allSatisfy({ abs($0) < 1e6 }) else {
            throw .recording("the recording contains samples that are not finite or above +120 dBFS")
        }
        drift = ClockDrift(plan, left: left, right: right)
        var ears = try drift?.removed(from: left, right, sampleRate: rate) ?? (left: left, right: right)
        if let pilots = plan.pilots {
            let first = (plan.parts.first?.start ?? 0) - Int(0.02 * rate)
            Self.silence(&ears.left, before: first, after: pilots.last, fade: Int(0.01 * rate))
            Self.silence(&ears.right, before: first, after: pilots.last, fade: Int(0.01 * rate))
        }
        let quiet = min(left.count, plan.pilots?.first ?? plan.parts[0].start)
        silence = (Array(left[..<quiet]), Array(right[..<quiet]))
        self.plan = plan
        self.ears = ears
        inverse = SweepInverse(plan.sweep, frames: max(ears.left.count, plan.frames))
        responses = inverse.deconvolved(ears.left, ears.right)
        latency = Self.latency(plan, responses)
    }

    /// Fades a recording in over the `fade` frames before `first`, and out over the `fade` frames before `last`. All
    /// earlier and later samples become 0.
    private static func silence(_ row: inout [Float], before first: Int, after last: Int, fade: Int) {
        for i in row.indices {
            let along = min(Float(i - first + fade), Float(last - i)) / Float(fade)
            if along < 1 { row[i] *= max(0, along) }
        }
    }

    /// Longest time between the direct sounds of two loudspeakers, seconds. Sound travels 10 m in this time.
    private static let longestWay = 0.03
    /// A loudspeaker counts as heard if the energy of its loudest millisecond is at least this share of the loudest
    /// loudspeaker's: −25 dB.
    private static let leastShare = 0.003

    /// Returns the number of frames from a sweep's start to the earliest direct sound of the take. A loudspeaker's
    /// direct sound is its loudest millisecond. Only loudspeakers that are heard count.
    ///
    /// One loudspeaker does not suffice: the response to the next sweep may also begin within `longestLatency`. So the
    /// 30 ms in which all loudspeakers together have the most energy are found first. The direct sound of each
    /// loudspeaker is then searched within 30 ms of the start of this interval.
    private static func latency(_ plan: TakePlan, _ responses: (left: [Double], right: [Double])) -> Int {
        let rate = plan.sweep.sampleRate
        let (reach, way, window) = (Int(longestLatency * rate), Int(longestWay * rate), Int(0.001 * rate))
        // Running sums of the energy for each loudspeaker: the energy of a range is the difference of two sums.
        let sums = plan.parts.map { part in
            var sums = [Double](repeating: 0, count: reach + way + 1)
            for i in 0..<(reach + way) {
                let place = part.start + i
                let isThere = place < responses.left.count
                let (a, b) = isThere ? (responses.left[place], responses.right[place]) : (0, 0)
                sums[i + 1] = sums[i] + a * a + b * b
            }
            return sums
        }
        /// Returns the start, within a range, of the `count` frames with the most energy.
        func loudest(_ sums: [Double], _ count: Int, in range: Range<Int>) -> Int {
            range.max { sums[$0 + count] - sums[$0] < sums[$1 + count] - sums[$1] } ?? 0
        }
        let total = sums[0].indices.map { i in sums.reduce(0) { $0 + $1[i] } }
        let common = loudest(total, way, in: 0..<reach)
        let near = max(0, common - way)..<min(reach, common + way)
        let found = sums.map { sums -> (place: Int, energy: Double) in
            let place = loudest(sums, window, in: near)
            return (place, sums[place + window] - sums[place])
        }
        let most = found.map(\.energy).max() ?? 0
        return found.filter { $0.energy >= leastShare * most }.map(\.place).min() ?? 0
    }

    /// Returns a range of the circular responses of one ear, `count` samples from a lag on.
    func row(_ ear: Int, from lag: Int, count: Int) -> [Double] {
        let circle = ear == 0 ? responses.left : responses.right
        return (0..<count).map { circle[(lag + $0 + 2 * circle.count) % circle.count] }
    }

    /// Length of a response, frames: the time that a response may last.
    var reach: Int { Int(plan.response * plan.sweep.sampleRate) }

    /// Lag at which a loudspeaker's response is cut out: `lead` before the first direct sound of the take.
    func origin(of part: TakePlan.Part) -> Int { part.start + latency - Int(Self.lead * plan.sweep.sampleRate) }

    /// Returns the energy of a harmonic of a loudspeaker's sweep relative to that of its linear response.
    func share(ofHarmonic order: Int, in part: TakePlan.Part) -> Double {
        let rate = plan.sweep.sampleRate
        let advances = [order - 1, order].map { plan.sweep.advance(ofHarmonic: $0) }
        let advance = Int(advances[1] * rate)
        // The range ends before the next response, which is that of the next lower harmonic.
        let count = Int(min(0.1, 0.9 * (advances[1] - advances[0])) * rate)
        func energy(_ start: Int) -> Double {
            (0..<2).reduce(0) { $0 + row($1, from: start, count: count).reduce(0) { $0 + $1 * $1 } }
        }
        return energy(origin(of: part) - advance) / max(1e-30, energy(origin(of: part)))
    }

    /// Returns the noise that is to be expected in the responses of each ear, power per sample. It is the power of the
    /// recording before the first sound, after deconvolution.
    func predictedNoise() -> [Double] {
        guard !silence.left.isEmpty else { return [0, 0] }
        let noise = inverse.deconvolved(silence.left, silence.right)
        return [noise.left, noise.right].map { $0.reduce(0) { $0 + $1 * $1 } / Double(silence.left.count) }
    }

    /// Returns the power of the noise at each ear before the first sound, in the sweep's band.
    func quietPower() -> [Double] {
        guard !silence.left.isEmpty else { return [0, 0] }
        let count = silence.left.count
        let none = [Double](repeating: 0, count: inverse.transform.count)
        let noise = inverse.remainder(of: silence.left, silence.right, without: (none, none))
        return [noise.left, noise.right].map { row in row[..<count].reduce(0) { $0 + $1 * $1 } / Double(count) }
    }

    /// Returns the level of the last seventh of a loudspeaker's response, dB: `level` is relative to the 10 ms after
    /// the response's peak, `excess` is relative to the predicted noise. Both are those of the ear with the higher
    /// `level`.
    func lateNoise(of part: TakePlan.Part, predicted: [Double]) -> (level: Double, excess: Double) {
        let frame = Int(0.01 * plan.sweep.sampleRate)
        var highest = (level: -Double.infinity, excess: -Double.infinity)
        for ear in 0..<2 {
            let row = row(ear, from: origin(of: part), count: reach)
            let peak = row.indices.max { abs(row[$0]) < abs(row[$1]) } ?? 0
            func power(_ range: Range<Int>) -> Double {
                row[range.clamped(to: row.indices)].reduce(0) { $0 + $1 * $1 } / Double(max(1, range.count))
            }
            let late = power((reach - reach / 7)..<reach)
            let level = 10 * log10(max(1e-30, late) / max(1e-30, power(peak..<(peak + frame))))
            let excess = 10 * log10(max(1e-30, late) / max(1e-30, predicted[ear]))
            if level > highest.level { highest = (level, excess) }
        }
        return highest
    }

    /// Returns the power of what remains of both ears' recordings after the sound of the responses has been subtracted:
    /// `[ear][i]`, a mean over `frame` samples each. The rest is the noise. The responses of the harmonics up to the
    /// eighth are subtracted too.
    func unexplained(frame: Int) -> [[Double]] {
        let rate = plan.sweep.sampleRate
        let count = responses.left.count
        var isKept = [Bool](repeating: false, count: count)
        for part in plan.parts {
            for order in 1...8 {
                let start = origin(of: part) - (order > 1 ? Int(plan.sweep.advance(ofHarmonic: order) * rate) : 0)
                let length = order > 1 ? min(reach, Int(0.25 * rate)) : reach
                for lag in start..<(start + length) { isKept[(lag + 2 * count) % count] = true }
            }
        }
        func kept(_ row: [Double]) -> [Double] { row.indices.map { isKept[$0] ? row[$0] : 0 } }
        let rest = inverse.remainder(
            of: ears.left, ears.right, without: (kept(responses.left), kept(responses.right)))
        return [rest.left, rest.right].map { row in
            (0..<(ears.left.count / frame)).map { place in
                row[(place * frame)..<((place + 1) * frame)].reduce(0) { $0 + $1 * $1 } / Double(frame)
            }
        }
    }
}

/// Returns a number rounded to one decimal, for messages.
func tenths(_ value: Double) -> Double { value.isFinite && abs(value) < 1e12 ? (value * 10).rounded() / 10 + 0 : value }
