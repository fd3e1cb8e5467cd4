import CHDF5
import Foundation
import Geometry
import Testing

@testable import SOFA

/// The six directions and clicks of `Draft`, in other conventions.
enum HeadDraft {
    static let cartesian = [("Type", "cartesian"), ("Units", "metre")]
    static let spherical = [("Type", "spherical"), ("Units", "degree, degree, metre")]

    /// Returns a draft of a convention, without data.
    static func bare(_ convention: String, _ type: String) -> Draft {
        var draft = Draft()
        draft.attributes["SOFAConventions"] = convention
        draft.attributes["DataType"] = type
        draft.variables["Data.IR"] = nil
        draft.variables["ReceiverPosition"] = ([0, 0.09, 0, 0, -0.09, 0], [2, 3, 1], cartesian)
        return draft
    }

    /// Returns the responses of `Draft`, 12 rows of `length` samples, with a short ringing after each click.
    static func rows(_ length: Int = 32) -> [[Double]] {
        let values = Draft().variables["Data.IR"]!.values
        return (0..<12).map { row in
            let click = values[(32 * row)..<(32 * row + 32)].firstIndex(of: 1)! - 32 * row
            return (0..<length).map { $0 < click ? 0 : pow(-0.6, Double($0 - click)) }
        }
    }

    /// Returns the spectrum of a row at frequencies, hertz.
    static func spectrum(_ row: [Double], at frequencies: [Double], rate: Double = 48_000) -> [SIMD2<Double>] {
        frequencies.map { f in
            row.enumerated().reduce(into: SIMD2<Double>.zero) { sum, sample in
                let angle = -2 * .pi * f * Double(sample.offset) / rate
                sum += sample.element * SIMD2(cos(angle), sin(angle))
            }
        }
    }

    /// Returns a draft with the transfer functions of `rows` at frequencies, hertz.
    static func spectral(
        _ rows: [[Double]], at frequencies: [Double], as convention: String = "SimpleFreeFieldHRTF"
    ) -> Draft {
        var draft = bare(convention, "TF")
        draft.variables["Data.SamplingRate"] = nil
        draft.variables["Data.Delay"] = nil
        let spectra = rows.map { spectrum($0, at: frequencies) }
        draft.variables["Data.Real"] = (spectra.flatMap { $0.map(\.x) }, [6, 2, frequencies.count], [])
        draft.variables["Data.Imag"] = (spectra.flatMap { $0.map(\.y) }, [6, 2, frequencies.count], [])
        draft.variables["N"] = (frequencies, [frequencies.count], [("Units", "hertz")])
        return draft
    }

    /// Moves the six directions to emitters around a source at the head.
    static func emitters(_ draft: inout Draft) {
        let places = draft.variables["SourcePosition"]!.values
        draft.variables["EmitterPosition"] = (places, [6, 3, 1], spherical)
        draft.variables["SourcePosition"] = ([0, 0, 0], [1, 3], cartesian)
    }

    /// Returns the largest difference between a set's responses and rows, dB re the largest sample (1).
    static func difference(_ set: FreeFieldHRIR, _ rows: [[Double]]) -> Double {
        var worst = 0.0
        for (index, row) in rows.enumerated() {
            let found = set.response(index / 2, receiver: index % 2)
            for (n, value) in found.enumerated() {
                worst = max(worst, abs(Double(value) - (n < row.count ? row[n] : 0)))
            }
        }
        return 20 * log10(worst + 1e-12)
    }
}
