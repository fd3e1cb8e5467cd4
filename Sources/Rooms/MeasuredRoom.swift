import Geometry
import Glibc
import HRTF
import Signal

/// Converts the sources of a measured room to responses: interpolates yaws, joins the tail and sets the level.
struct MeasuredRoom {
    let sources: [MeasuredSource]
    /// Yaw by which the room is turned for each source, radians, to bring it to the azimuth of the stage's loudspeaker;
    /// 0 if the room is not turned.
    let turns: [Double]
    let yawCount: Int
    /// Samples removed before the direct sound; negative if samples are inserted.
    let cut: Int
    /// Length of the whole response, samples.
    let length: Int
    /// Linear gain of the sound after the direct sound.
    let level: Float
    let sampleRate: Double

    /// Fills rows `[source][yaw][ear]`. The last quarter of a row (20 ms at most) crossfades into `whole`, the response
    /// of one view, from which the tail is taken.
    func fillEarly(_ rows: borrowing PlanarBlock, heardThrough field: FilterField) {
        let (count, join) = (rows.frameCapacity, min(rows.frameCapacity / 4, Int(0.02 * sampleRate)))
        nonisolated(unsafe) let pointers = UnsafePointer(rows.pointers)
        let blend = ViewBlend(sampleRate: sampleRate)
        let wide = WideBlend(field, rest: blend)
        inParallel(sources.count * yawCount, chunk: 6) { range in
            for task in range {
                let (source, yaw) = (task / yawCount, task % yawCount)
                let ears = sources[source].early(
                    at: 2 * .pi * Double(yaw) / Double(yawCount) - turns[source], with: blend,
                    wide: wide)
                for ear in 0..<2 {
                    let row = pointers[2 * task + ear]
                    place(ears[ear], in: row, count: count)
                    follow(row, by: sources[source].whole[ear], count: count, join: join)
                }
            }
        }
    }

    /// Fills rows `[source][ear]` with the tails. If there are only two rows for several sources, they get the tail of
    /// the first source, scaled to the sources' mean energy.
    func fillTails(_ rows: borrowing PlanarBlock, earlyTaps: Int) {
        let count = length - earlyTaps
        let fade = min(count, Int(0.02 * sampleRate))
        func tail(_ source: Int, _ ear: Int) -> [Float] {
            (0..<count).map { i in
                let place = earlyTaps + i + cut
                let row = sources[source].whole[ear]
                let end = min(1, Float(count - i) / Float(max(1, fade)))
                return place >= 0 && place < row.count ? level * end * row[place] : 0
            }
        }
        func energy(_ row: [Float]) -> Float { row.reduce(0) { $0 + $1 * $1 } }
        let isShared = rows.channelCount < 2 * sources.count
        for source in 0..<(rows.channelCount / 2) {
            let ears = [tail(source, 0), tail(source, 1)]
            var gain: Float = 1
            if isShared {
                let all = sources.indices.map { energy(tail($0, 0)) + energy(tail($0, 1)) }.reduce(0, +)
                let own = energy(ears[0]) + energy(ears[1])
                gain = own > 0 ? (all / Float(sources.count) / own).squareRoot() : 1
            }
            for ear in 0..<2 {
                for i in 0..<count { rows[2 * source + ear][i] = gain * ears[ear][i] }
            }
        }
    }

    /// Scales all rows so that pink noise through the room is as loud as through the head alone, averaged over the
    /// loudspeakers, with the head to the front. Returns the gain.
    func matchLoudness(
        _ early: borrowing PlanarBlock, _ tail: borrowing PlanarBlock,
        loudspeakers: [(direction: Direction<Stage>, source: Int)], _ field: FilterField
    ) -> Double {
        let loudness = EarLoudness(taps: max(length, field.tapCount), sampleRate: sampleRate)
        var sums = (dry: 0.0, wet: 0.0)
        var known: [Int: Double] = [:]
        for (direction, source) in loudspeakers {
            let (left, right) = field.responses(Rotation<Stage, Head>(yaw: 0)(direction))
            sums.dry += loudness.energy(left: left, right: right)
            let wet =
                known[source]
                ?? {
                    let rows = (0..<2).map { ear in
                        let tailRow = tail.channelCount < 2 * sources.count ? ear : 2 * source + ear
                        return Array(
                            UnsafeBufferPointer(start: early[source * yawCount * 2 + ear], count: early.frameCapacity))
                            + UnsafeBufferPointer(start: tail[tailRow], count: tail.frameCapacity)
                    }
                    return loudness.energy(left: rows[0], right: rows[1])
                }()
            known[source] = wet
            sums.wet += wet
        }
        let gain = sums.wet > 0 ? (sums.dry / sums.wet).squareRoot() : 1
        for row in 0..<early.channelCount { Samples.scale(early[row], by: Float(gain), count: early.frameCapacity) }
        for row in 0..<tail.channelCount { Samples.scale(tail[row], by: Float(gain), count: tail.frameCapacity) }
        return gain
    }

    /// Copies a response into its row, shifted by `cut`. A ramp from 2.5 to 5 ms after the onset leads from gain 1 to
    /// `level`.
    private func place(_ samples: [Float], in row: UnsafeMutablePointer<Float>, count: Int) {
        let peak = samples.reduce(0) { max($0, abs($1)) }
        let onset = (samples.firstIndex { abs($0) >= 0.1 * peak } ?? 0) - cut
        let (first, last) = (onset + Int(0.0025 * sampleRate), onset + Int(0.005 * sampleRate))
        for i in 0..<count where i + cut >= 0 && i + cut < samples.count {
            let along = max(0, min(1, Float(i - first) / Float(max(1, last - first))))
            row[i] = samples[i + cut] * (1 + along * (level - 1))
        }
    }

    /// Crossfades a row into `whole` over its last `join` samples. The gains are linear. The sum is divided by the
    /// square root of the relative power that follows from the measured correlation of both signals. So the power is
    /// constant for equal and for uncorrelated signals.
    private func follow(_ row: UnsafeMutablePointer<Float>, by whole: [Float], count: Int, join: Int) {
        let start = count - join
        var (own, other, both) = (0.0, 0.0, 0.0)
        func target(_ i: Int) -> Float { i + cut >= 0 && i + cut < whole.count ? level * whole[i + cut] : 0 }
        for i in start..<count {
            let (a, b) = (Double(row[i]), Double(target(i)))
            own += a * a
            other += b * b
            both += a * b
        }
        let size = (own * other).squareRoot()
        let alike = Float(size > 0 ? max(0, min(1, both / size)) : 1)
        for i in start..<count {
            let u = (Float(i - start) + 0.5) / Float(join)
            let power = (1 - u) * (1 - u) + u * u + 2 * u * (1 - u) * alike
            row[i] = ((1 - u) * row[i] + u * target(i)) / power.squareRoot()
        }
    }
}
