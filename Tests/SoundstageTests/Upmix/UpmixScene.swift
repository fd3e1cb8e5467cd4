import Glibc
import Signal
import Soundstage

/// A synthetic stereo programme, and measures of its upmix.
struct UpmixScene {
    var left: [Float]
    var right: [Float]

    /// Returns white noise of RMS 0.1 from a linear congruential generator.
    static func noise(_ count: Int, seed: UInt64) -> [Float] {
        var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (Float(state >> 40) / Float(1 << 24) - 0.5) * 0.346
        }
    }

    /// Returns a source panned by the sine and cosine law, −1 left to +1 right.
    static func panned(_ source: [Float], _ pan: Float) -> UpmixScene {
        let angle = (pan + 1) * .pi / 4
        return UpmixScene(left: source.map { $0 * cosf(angle) }, right: source.map { $0 * sinf(angle) })
    }

    /// Returns a voice of harmonics in the middle, plucked tones left and right, and noise tails in both.
    static func mix(frames: Int) -> UpmixScene {
        var scene = UpmixScene(left: [Float](repeating: 0, count: frames), right: [Float](repeating: 0, count: frames))
        let (tailLeft, tailRight) = (noise(frames, seed: 21), noise(frames, seed: 22))
        for i in 0..<frames {
            let t = Double(i) / 48_000
            let note = Double(i % 24_000) / 48_000
            var voice = 0.0
            for harmonic in 1...8 { voice += sin(2 * .pi * 220 * Double(harmonic) * t) / Double(harmonic) }
            let pluck = exp(-note * 6) * sin(2 * .pi * 523.25 * t)
            let other = exp(-note * 9) * sin(2 * .pi * 659.26 * t)
            scene.left[i] = Float(0.1 * voice + 0.2 * pluck) + 0.1 * tailLeft[i]
            scene.right[i] = Float(0.1 * voice + 0.2 * other) + 0.1 * tailRight[i]
        }
        return scene
    }

    /// Returns the channels of an upmix in the layout's order, without the latency; `then` are the amounts from the
    /// second period on.
    static func play(
        _ scene: UpmixScene, layout: Layout? = nil, mode: UpmixMode = .identity, latency: UpmixLatency = .player,
        controls: UpmixControls = UpmixControls(), decorrelates: Bool = true, periods: [Int] = [1024],
        then: UpmixControls? = nil
    ) throws -> [[Float]] {
        let layout = try layout ?? Layout.named("5.1")
        var upmixer = try StereoUpmixer(
            sampleRate: .studio, layout: layout, mode: mode, latency: latency, controls: controls,
            decorrelates: decorrelates)
        let tail = [Float](repeating: 0, count: upmixer.latency)
        let (left, right) = (scene.left + tail, scene.right + tail)
        let rows = PlanarBlock(channels: layout.channelCount, frames: periods.max() ?? 1)
        var channels = [[Float]](repeating: [], count: layout.channelCount)
        var (done, period) = (0, 0)
        while done < left.count {
            let count = min(periods[period % periods.count], left.count - done)
            if period > 0, let then { upmixer.controls = then }
            left.withUnsafeBufferPointer { a in
                right.withUnsafeBufferPointer { b in
                    upmixer.process(
                        frames: count, left: a.baseAddress! + done, right: b.baseAddress! + done, into: rows.pointers)
                }
            }
            for channel in 0..<layout.channelCount {
                channels[channel].append(contentsOf: UnsafeBufferPointer(start: rows[channel], count: count))
            }
            done += count
            period += 1
        }
        return channels.map { Array($0.dropFirst(tail.count)) }
    }

    /// Returns the energies of rows from a frame on.
    static func powers(_ rows: [[Float]], from start: Int) -> [Double] {
        rows.map { $0.dropFirst(start).reduce(0.0) { $0 + Double($1) * Double($1) } }
    }

    /// Returns 10·log₁₀ of a ratio; −300 for 0.
    static func decibels(_ ratio: Double) -> Double { ratio > 1e-30 ? 10 * log10(ratio) : -300 }

    /// Returns ⟨P²⟩/⟨P⟩² of the power P in pieces of 64 samples; 1 without fluctuation.
    static func fluctuation(_ row: [Float], from start: Int) -> Double {
        let pieces = stride(from: start, to: row.count - 64, by: 64).map { at in
            row[at..<(at + 64)].reduce(0.0) { $0 + Double($1) * Double($1) }
        }
        let mean = pieces.reduce(0, +) / Double(pieces.count)
        return pieces.reduce(0) { $0 + $1 * $1 } / Double(pieces.count) / (mean * mean)
    }

    /// Returns the remainder of a tone, dB re the tone, after the best-fitting sine of its frequency is subtracted.
    static func residue(_ row: [Float], hertz: Double, from start: Int, count: Int) -> Double {
        var (a, b) = (0.0, 0.0)
        for i in start..<(start + count) {
            a += Double(row[i]) * sin(2 * .pi * hertz * Double(i) / 48_000) * 2 / Double(count)
            b += Double(row[i]) * cos(2 * .pi * hertz * Double(i) / 48_000) * 2 / Double(count)
        }
        var (rest, power) = (0.0, 0.0)
        for i in start..<(start + count) {
            let phase = 2 * .pi * hertz * Double(i) / 48_000
            let tone = a * sin(phase) + b * cos(phase)
            rest += (Double(row[i]) - tone) * (Double(row[i]) - tone)
            power += tone * tone
        }
        return decibels(rest / power)
    }
}

/// Returns sin(π·x).
func sinPi(_ x: Double) -> Double { sin(.pi * x) }
