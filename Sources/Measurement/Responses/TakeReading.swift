import AudioIO
import Foundation
import Signal
import Sweeps

/// Sound files of a measurement: the sweep that was played, and recordings of both ears.
enum TakeReading {
    /// Longest file, seconds.
    private static let longest = 1200.0

    /// Reads the channels of a sound file.
    static func rows(_ path: String) throws(ResponseError) -> (rows: [[Float]], rate: SampleRate) {
        do throws(SoundFileError) {
            let reader = try SoundFileReader(path: path)
            guard reader.sampleRate.seconds(frames: reader.frameCount) <= longest, reader.channelCount <= 64 else {
                throw .notSound(path: path, reason: "lasts more than \(Int(longest)) s, or has more than 64 channels")
            }
            let block = PlanarBlock(channels: reader.channelCount, frames: reader.frameCount)
            let count = try reader.read(into: block, frames: reader.frameCount)
            let rows = (0..<reader.channelCount).map { Array(UnsafeBufferPointer(start: block[$0], count: count)) }
            return (rows, reader.sampleRate)
        } catch { throw .sound(error) }
    }

    /// Reads the sweep that was played.
    static func sweep(_ path: String) throws(ResponseError) -> SingleSweep {
        let (rows, rate) = try rows(path)
        guard rows.count == 1 else {
            throw .input("\(path): has \(rows.count) channels; name a file of one channel that holds a single sweep")
        }
        let least = (rows[0].reduce(0) { max($0, abs($1)) }) * 1e-6
        guard let first = rows[0].firstIndex(where: { abs($0) > least }),
            let last = rows[0].lastIndex(where: { abs($0) > least })
        else { throw .input("\(path): is silent; name the sweep that was played") }
        do throws(SweepError) {
            let sweep = try ExponentialSweep(samples: Array(rows[0][first...last]), sampleRate: rate, name: path)
            return SingleSweep(sweep: sweep, before: first, after: rows[0].count - 1 - last)
        } catch { throw .input(error.description) }
    }

    /// Reads a recording of both ears at the sweep's rate.
    static func take(_ path: String, rate: Double) throws(ResponseError) -> (left: [Float], right: [Float]) {
        let (rows, found) = try rows(path)
        guard rows.count == 2 else {
            throw .input("\(path): has \(rows.count) channels; a take has two, the left and the right ear")
        }
        guard found.hertz == rate else {
            throw .input("\(path): is at \(found), the sweep at \(Int(rate)) Hz; both must have one rate")
        }
        return (rows[0], rows[1])
    }

    /// Reads the calibrations of both microphones from one file for both, or from one for each; nil for each without
    /// files.
    static func microphones(_ paths: [String]) throws(ResponseError) -> [MicrophoneCalibration?] {
        var found: [MicrophoneCalibration?] = []
        for path in paths {
            guard let data = FileManager.default.contents(atPath: path), data.count < 16 << 20 else {
                throw .input("\(path): cannot be read as a calibration; name a text of frequencies and levels")
            }
            do throws(SweepError) {
                let text = String(decoding: data, as: UTF8.self)
                found.append(try MicrophoneCalibration(text: text, name: path))
            } catch { throw .input(error.description) }
        }
        return found.isEmpty ? [nil, nil] : found.count == 1 ? [found[0], found[0]] : found
    }
}

/// The sweep of a sound file.
struct SingleSweep: Sendable {
    /// The sweep without the silence around it.
    let sweep: ExponentialSweep
    /// Frames of silence before and after the sweep in its file. They were played with the sweep.
    let before: Int, after: Int

    /// Returns the frame at which a sweep begins in a recording during which this file was played several times.
    ///
    /// - Parameters:
    ///   - place: number of the sweep, from 0.
    ///   - pause: silence before each playing of the file, seconds.
    func start(_ place: Int, pause: Double) -> Int {
        let quiet = Int((pause * sweep.sampleRate).rounded())
        return quiet + before + place * (quiet + before + sweep.samples.count + after)
    }
}
