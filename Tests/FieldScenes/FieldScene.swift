import Foundation
import SeededRandom

@testable import AudioMix

/// Sound fields whose parts are known: a talker made by code, waves from anywhere, diffuse noise. `[channel][frame]`, ACN and SN3D.
struct FieldScene {
    var rows: [[Float]]

    /// Silence.
    init(frames: Int, channels: Int = 4) {
        rows = Array(repeating: Array(repeating: 0, count: frames), count: channels)
    }

    /// A voice: pulses of a wandering pitch through three formants that change with every syllable, four syllables a second, a pause
    /// after every seventh. Root of the mean square about 0.05.
    static func voice(frames: Int, seed: UInt64, pitch: Double = 120) -> [Float] {
        var random = SplitMix(state: seed), out = [Float](repeating: 0, count: frames)
        var phase = 0.0, formants = [500.0, 1500, 2500], at = 0
        while at < frames {
            let length = Int((0.17 + 0.1 * random.unit()) * 48_000), isPause = random.unit() < 0.14
            formants = [300 + 500 * random.unit(), 900 + 1300 * random.unit(), 2300 + 900 * random.unit()]
            let bend = 0.85 + 0.3 * random.unit(), isHissed = random.unit() < 0.2
            var gains = [Double](repeating: 0, count: 40)
            for k in 1...40 {
                let f = Double(k) * pitch
                for (i, formant) in formants.enumerated() {
                    let x = (f - formant) / (60 + 40 * Double(i))
                    gains[k - 1] += 1 / (1 + x * x) / Double(1 + i)
                }
            }
            for i in 0..<min(length, frames - at) where !isPause {
                let t = Double(i) / Double(length), envelope = sin(.pi * t) * sin(.pi * t)
                phase += 2 * .pi * pitch * (1 + 0.1 * (t - 0.5)) * bend / 48_000
                var value = 0.0
                if isHissed {
                    value = 0.3 * (random.unit() - 0.5)
                } else {
                    for k in 1...40 { value += gains[k - 1] * sin(Double(k) * phase) }
                }
                out[at + i] = Float(0.06 * envelope * value)
            }
            at += length
        }
        return out
    }

    /// Adds a plane wave from a direction that may move, azimuth and elevation in degrees.
    mutating func add(_ sound: [Float], elevation: Double = 0, gain: Float = 1, azimuth: (Double) -> Double) {
        for i in sound.indices {
            let a = azimuth(Double(i) / 48_000) * .pi / 180, e = elevation * .pi / 180
            let x = gain * sound[i]
            rows[0][i] += x
            rows[1][i] += x * Float(sin(a) * cos(e))
            rows[2][i] += x * Float(sin(e))
            rows[3][i] += x * Float(cos(a) * cos(e))
        }
    }

    /// Adds noise that falls by 3 dB an octave from 32 sides, W's root of the mean square `level`.
    mutating func addDiffuse(level: Float, seed: UInt64) {
        var random = SplitMix(state: seed)
        let frames = rows[0].count, turn = random.unit()
        for wave in 0..<32 {
            let z = 1 - (2 * Double(wave) + 1) / 32
            let azimuth = 360 * (turn + Double(wave) * 0.618_034)
            var pink = [Float](repeating: 0, count: frames), slow = 0.0, slower = 0.0
            for i in 0..<frames {
                let white = random.unit() - 0.5
                slow += 0.05 * (white - slow)
                slower += 0.005 * (white - slower)
                pink[i] = Float(0.12 * white + slow + 3 * slower)
            }
            let power = pink.reduce(0) { $0 + $1 * $1 } / Float(frames)
            add(pink, elevation: asin(z) * 180 / .pi, gain: level / (32 * power).squareRoot()) { _ in azimuth }
        }
    }

    /// What a mixer makes of the scene, each call `block(n)` frames, aligned with it: all rows, and the talkers after every call.
    func mixed(_ mixer: inout AudioMixer, block: (Int) -> Int = { _ in 1024 }) -> Mixed {
        let channels = rows.count, frames = rows[0].count, latency = mixer.latency
        var result = Mixed(channels: channels, frames: frames)
        let rows = UnsafeRows(3 * channels + channels + 2, 8192)
        var done = 0, call = 0
        while done < frames + latency {
            let count = min(block(call), frames + latency - done)
            for c in 0..<channels {
                for i in 0..<count { rows[c][i] = done + i < frames ? self.rows[c][done + i] : 0 }
            }
            mixer.process(
                frames: count, rows.inputs,
                into: .init(
                    mix: rows.outputs(channels), speech: rows.outputs(2 * channels),
                    ambience: rows.outputs(3 * channels),
                    voices: rows.outputs(4 * channels)))
            for i in 0..<count where done + i >= latency {
                let at = done + i - latency
                for c in 0..<channels {
                    result.mix[c][at] = rows[channels + c][i]
                    result.speech[c][at] = rows[2 * channels + c][i]
                    result.ambience[c][at] = rows[3 * channels + c][i]
                }
                for k in 0..<2 { result.voices[k][at] = rows[4 * channels + k][i] }
            }
            done += count
            call += 1
            result.talkers.append((Double(done) / 48_000, (0..<2).map { mixer.talker($0) }))
        }
        return result
    }

    /// Rows a mixer wrote.
    struct Mixed {
        var mix: [[Float]], speech: [[Float]], ambience: [[Float]], voices: [[Float]]
        var talkers: [(seconds: Double, states: [TalkerState?])] = []

        init(channels: Int, frames: Int) {
            let silence = Array(repeating: [Float](repeating: 0, count: frames), count: channels)
            (mix, speech, ambience) = (silence, silence, silence)
            voices = Array(silence.prefix(2))
        }
    }
}

/// Rows of samples by pointer, freed with it.
final class UnsafeRows {
    private let base: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let count: Int

    init(_ count: Int, _ frames: Int) {
        self.count = count
        base = .allocate(capacity: count)
        for i in 0..<count {
            base[i] = .allocate(capacity: frames)
            base[i].initialize(repeating: 0, count: frames)
        }
    }

    deinit {
        for i in 0..<count { base[i].deallocate() }
        base.deallocate()
    }

    subscript(row: Int) -> UnsafeMutablePointer<Float> { base[row] }
    var inputs: UnsafePointer<UnsafePointer<Float>> {
        UnsafeRawPointer(base).assumingMemoryBound(to: UnsafePointer<Float>.self)
    }
    func outputs(_ first: Int) -> UnsafePointer<UnsafeMutablePointer<Float>> { UnsafePointer(base + first) }
}

/// Levels of rows.
enum Level {
    /// Mean power in dB.
    static func decibels(_ row: ArraySlice<Float>) -> Double {
        10 * log10(row.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, row.count)) + 1e-30)
    }

    /// Scale-invariant signal-to-distortion ratio, dB.
    static func distortion(_ estimate: ArraySlice<Float>, of target: ArraySlice<Float>) -> Double {
        var (cross, own, all) = (0.0, 0.0, 0.0)
        for (e, t) in zip(estimate, target) {
            cross += Double(e) * Double(t)
            own += Double(t) * Double(t)
            all += Double(e) * Double(e)
        }
        let scaled = cross * cross / own
        return 10 * log10(scaled / max(all - scaled, 1e-30))
    }

    /// A row at 48 kHz through the K-weighting of ITU-R BS.1770, by its tables' coefficients.
    static func weighted(_ row: [Float]) -> [Float] {
        var (a, b, c, d) = (0.0, 0.0, 0.0, 0.0)
        return row.map { sample in
            let x = Double(sample)
            let y = 1.535_124_859_586_97 * x + a
            a = -2.691_696_189_406_38 * x + 1.690_659_293_182_41 * y + b
            b = 1.198_392_810_852_85 * x - 0.732_480_774_215_85 * y
            let z = y + c
            c = -2 * y + 1.990_047_454_833_98 * z + d
            d = y - 0.990_072_250_366_21 * z
            return Float(z)
        }
    }
}
