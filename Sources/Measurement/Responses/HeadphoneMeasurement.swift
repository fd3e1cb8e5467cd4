import Foundation
import Headphones
import SOFA
import Signal
import Sweeps

/// Makes a SOFA file of headphones from takes, one for each time the headphones were put on (a fit). This is the second
/// half of `measure headphones`; nothing is played.
package struct HeadphoneMeasurement: Sendable {
    /// Folder of the takes.
    package var folder: MeasurementFolder
    /// Paths of calibrations: none, one for both microphones, or the left and the right.
    package var calibrations: [String]
    /// Global attributes of the file: Title, DateCreated, ...
    package var attributes: [String: String]

    /// Largest length of a response, seconds: longer than any headphone rings.
    private static let longest = 0.1

    /// Sets all fields.
    package init(folder: MeasurementFolder, calibrations: [String] = [], attributes: [String: String] = [:]) {
        (self.folder, self.calibrations, self.attributes) = (folder, calibrations, attributes)
    }

    /// Writes the file. Takes about a tenth of a second for each fit. May be called on any thread but the audio thread.
    ///
    /// - Parameter replaces: whether an existing file is replaced.
    /// - Throws: `input` if there is no take, if the sweeps, a calibration or a take is unusable, or if the responses
    ///   cannot be inverted; `sound` if a take cannot be read; `refused` if a take has faults; `output` if the file
    ///   cannot be written.
    package func run(replaces: Bool) throws(ResponseError) -> HeadphoneReport {
        let sweeps = try PlayedSweeps(contentsOf: folder.sweeps)
        guard sweeps.isOfHeadphones else { throw .input("\(folder.sweeps) describes no sweeps of headphones") }
        let plan: TakePlan
        do throws(SweepError) { plan = try sweeps.plan() } catch {
            throw .input("\(folder.sweeps): \(error.description)")
        }
        let microphones = try TakeReading.microphones(calibrations)
        let paths = folder.takes.map(\.path)
        guard !paths.isEmpty else { throw .input("\(folder.path) holds no take of a fit") }
        var takes: [HeadphoneTake] = []
        for path in paths {
            let recorded = try TakeReading.take(path, rate: plan.sweep.sampleRate)
            do throws(SweepError) {
                takes.append(
                    try HeadphoneTake(plan, left: recorded.left, right: recorded.right, microphones: microphones))
            } catch { throw .input("\(path): \(error.description)") }
        }
        let faulty = zip(paths, takes).filter { !$1.faults.isEmpty }
        guard faulty.isEmpty else {
            throw .refused(
                faulty.map { (take: $0, faults: $1.faults) },
                remedy: "remove these takes; the same line records them again")
        }
        let longest = Int(Self.longest * plan.sweep.sampleRate)
        let count = min(longest, takes.map { $0.ears[0].count }.min() ?? longest)
        let responses = takes.map { take in
            take.ears.map { row in
                // Each response ends in a fade over a tenth of its length.
                (0..<count).map { i in
                    Float(row[i] * RaisedCosine.value(Double(count - 1 - i) / (0.1 * Double(count))))
                }
            }
        }
        let inverse: HeadphoneEqualiser
        do throws(HeadphonesError) {
            inverse = try HeadphoneInverse.equaliser(
                HeadphoneInverse.Measurement(responses, sampleRate: plan.sweep.sampleRate), name: folder.path)
        } catch { throw .input(error.description) }
        do throws(SOFAError) {
            try WrittenHeadphones(
                attributes: attributes, sampleRate: plan.sweep.sampleRate, responses: responses
            ).write(to: folder.headphones, isReplacing: replaces)
        } catch { throw .output(error) }
        return HeadphoneReport(
            file: folder.headphones, sampleRate: plan.sweep.sampleRate, samples: count,
            takes: zip(paths, takes).map { HeadphoneReport.Take(file: $0, $1) },
            spread: FitSpread.decibels(responses, sampleRate: plan.sweep.sampleRate),
            // The preamp of an inverse is its largest boost, with a negative sign.
            boost: -inverse.preamp[0])
    }
}

/// Result of `measure headphones`, for the user and for programs.
package struct HeadphoneReport: Codable, Sendable {
    /// One fit.
    package struct Take: Codable, Sendable {
        /// Path of the recording.
        package let file: String
        /// Largest sample, dB re full scale, and margin of the sweep over the noise, dB.
        package let peak: Double, margin: Double

        init(file: String, _ take: HeadphoneTake) {
            self.file = file
            (peak, margin) = (20 * log10(max(1e-9, take.peak)), take.margin)
        }
    }

    /// Path of the SOFA file.
    package let file: String
    /// Sample rate, hertz, and samples of each response.
    package let sampleRate: Double, samples: Int
    /// Fits in their order.
    package let takes: [Take]
    /// How much the fits differ; nil for one fit.
    package let spread: FitSpread?
    /// Largest boost of the inverse of the fits' mean, dB.
    package let boost: Double

    /// The report in words.
    package var lines: [String] {
        var lines = takes.map {
            String(format: "%@: peak %.1f dBFS, sweep %.0f dB above the noise", $0.file, $0.peak, $0.margin)
        }
        if let spread {
            let high = spread.high.map { String(format: ", %.1f dB from there to 16 kHz", $0) } ?? ""
            lines.append(
                String(
                    format: "the fits differ by %.1f dB (standard deviation) from 100 Hz to 8 kHz", spread.middle)
                    + high)
        }
        lines.append(String(format: "their inverse boosts by %.1f dB at most", boost))
        lines.append(String(format: "%@: %d fits at %.6g Hz", file, takes.count, sampleRate))
        return lines
    }
}
