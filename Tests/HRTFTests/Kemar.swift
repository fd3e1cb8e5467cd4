import Foundation
import Geometry
import SOFA
import Signal
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
        FourierTransform(minimumCount: count).forward(&real, &imaginary)
        var detector = OnsetDetector(count: count, sampleRate: sampleRate)
        let onset = detector.onsets(real: real, imaginary: imaginary)[0]
        onsets = (onset.left / sampleRate, onset.right / sampleRate)
        var ears = EarSpectra(binCount: count / 2 + 1)
        ears.separate(real, imaginary)
        power = zip(ears.real, ears.imaginary).map { real, imaginary in
            zip(real, imaginary).map { a, b -> Double in a * a + b * b }
        }
        binHz = sampleRate / Double(count)
        let critical = CriticalBands(from: 500, to: 16_000, binHz: binHz, binCount: count / 2 + 1)
        let power = power
        bands = (0..<2).map { ear in critical.decibels { power[ear][$0] } }
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
