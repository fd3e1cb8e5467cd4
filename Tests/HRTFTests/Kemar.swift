import Foundation
import Geometry
import SOFA
import Signal
import Synchronization
import Testing

@testable import HRTF

/// Debian's measured set, read and prepared once for all tests.
enum Kemar {
    static let path = HRTFLibrary.systemDefault

    /// Whether the set is installed, and the comment for tests without it.
    static let isHere = FileManager.default.fileExists(atPath: path)
    static let absence: Comment = "Debian's measured set is not installed (apt install libmysofa1)"

    /// The set; nil where libmysofa1 is not installed.
    static let file: FreeFieldHRIR? = isHere ? try! FreeFieldHRIR(contentsOf: path) : nil
    static let automatic = file.map { try! FilterField.prepare($0, sampleRate: .cd) }
    static let plain = file.map { try! FilterField.prepare($0, sampleRate: .cd, processing: .none) }
}

/// Spectra, onsets and levels of a pair of responses.
struct Heard {
    /// Power spectra `[ear][bin]`, and the spacing of bins in Hz.
    let power: [[Double]]
    let binHz: Double
    /// Onsets, seconds.
    let onsets: (left: Double, right: Double)
    /// Levels of critical bands 0.5…16 kHz, dB, `[ear][band]`.
    let bands: [[Double]]

    init(_ left: some Sequence<Float>, _ right: some Sequence<Float>, sampleRate: Double, count: Int = 1024) {
        var real = Array(left.prefix(count).map(Double.init))
        var imaginary = Array(right.prefix(count).map(Double.init))
        real += [Double](repeating: 0, count: count - real.count)
        imaginary += [Double](repeating: 0, count: count - imaginary.count)
        var tables = Tables.of(count, sampleRate)
        tables.transform.forward(&real, &imaginary)
        let onset = tables.detector.onsets(real: real, imaginary: imaginary)[0]
        onsets = (onset.left / sampleRate, onset.right / sampleRate)
        var ears = EarSpectra(binCount: count / 2 + 1)
        ears.separate(real, imaginary)
        var power = ears.real
        for ear in 0..<2 {
            for bin in 0...(count / 2) {
                let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
                power[ear][bin] = a * a + b * b
            }
        }
        self.power = power
        binHz = sampleRate / Double(count)
        bands = power.map { power in tables.critical.decibels { power[$0] } }
    }

    /// Tables for a length and a rate, made once for all tests.
    private struct Tables {
        private struct Key: Hashable {
            let count: Int
            let sampleRate: Double
        }
        private static let made = Mutex<[Key: Tables]>([:])

        let transform: FourierTransform
        var detector: OnsetDetector
        let critical: CriticalBands

        static func of(_ count: Int, _ sampleRate: Double) -> Tables {
            made.withLock { made in
                let key = Key(count: count, sampleRate: sampleRate)
                if let tables = made[key] { return tables }
                let tables = Tables(
                    transform: FourierTransform(minimumCount: count),
                    detector: OnsetDetector(count: count, sampleRate: sampleRate),
                    critical: CriticalBands(
                        from: 500, to: 16_000, binHz: sampleRate / Double(count), binCount: count / 2 + 1))
                made[key] = tables
                return tables
            }
        }
    }

    /// Left onset minus right onset, seconds.
    var interauralDelay: Double { onsets.left - onsets.right }

    /// Returns the level in dB of the bin nearest to a frequency.
    func level(_ ear: Int, at frequency: Double) -> Double {
        10 * log10(power[ear][Int((frequency / binHz).rounded())])
    }
}

extension FilterField {
    /// Returns the spectra, onsets and levels of the responses for a direction.
    func heard(_ direction: Direction<Head>, count: Int = 1024) -> Heard {
        let (left, right) = responses(direction)
        return Heard(left, right, sampleRate: sampleRate.hertz, count: count)
    }
}
