import FieldScenes
import Foundation

@testable import AudioMix

extension FieldScene {
    /// Returns the mixer's output for the scene, aligned with the scene: all rows, and the talkers after every call.
    /// Call `n` has `block(n)` frames.
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

/// Rows of samples by pointer, freed with the object.
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

    /// Returns the power of weighted rows at 48 kHz by BS.1770, dB: the mean of blocks of 400 ms, one every 100 ms,
    /// without those 10 LU below the mean.
    static func loudness(_ rows: [ArraySlice<Float>]) -> Double {
        let frames = rows[0].count,
            blocks = stride(from: 0, to: frames - 19_200, by: 4800).map { at in
                rows.reduce(0.0) { sum, row in
                    row[(row.startIndex + at)..<(row.startIndex + at + 19_200)].reduce(sum) {
                        $0 + Double($1) * Double($1)
                    }
                }
            }
        let gate = 0.1 * blocks.reduce(0, +) / Double(blocks.count)
        let counted = blocks.filter { $0 > gate }
        return 10 * log10(counted.reduce(0, +) / Double(counted.count))
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
