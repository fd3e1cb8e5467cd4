import Foundation
import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

/// Spectral differences of the generated head from measured heads, compared with KEMAR's differences from them.
@Suite struct GeneratedHeadMeritTests {
    static let folder = DefaultPathTests.folder
    /// Heads that the generated head was not fitted to.
    static let heldOut = [
        "libmysofa-tests__FHK_HRIR_L2354.sofa",
        "libmysofa-tests__CIPIC_subject_003_hrir_final_itdInDelayField.sofa",
        "libmysofa-tests__LISTEN_1002_IRC_1002_C_HRIR.sofa",
    ]
    private static let generated = Result {
        try FilterField.prepare(FreeFieldHRIR(contentsOf: Sources.catalogue + "/generated.sofa"), sampleRate: .cd).0
    }

    /// Evenly spread directions (Fibonacci spiral) from −40° of elevation upwards, near which all sets have
    /// measurements.
    private static let directions: [Direction<Head>] = (0..<240).compactMap { index in
        let z = 1 - (2 * Double(index) + 1) / 240
        let elevation = asin(z) * 180 / .pi
        guard elevation >= -40 else { return nil }
        return Direction(
            azimuthDegrees: (Double(index) * 180 * (3 - 5.0.squareRoot())).truncatingRemainder(dividingBy: 360),
            elevationDegrees: elevation)
    }

    /// Returns the mean magnitude of the differences of critical bands over directions and ears, dB, without the mean
    /// difference of level.
    private func difference(_ a: FilterField, _ b: FilterField) -> Double {
        let differences = Self.directions.flatMap { direction in
            let (a, b) = (a.heard(direction).bands, b.heard(direction).bands)
            return (0..<2).flatMap { ear in zip(a[ear], b[ear]).map { $0 - $1 } }
        }
        let mean = differences.reduce(0, +) / Double(differences.count)
        return differences.reduce(0) { $0 + abs($1 - mean) } / Double(differences.count)
    }

    @Test(.enabled(if: Kemar.isHere, Kemar.absence))
    func kemarIsNear() throws {
        let (kemar, _) = try #require(Kemar.automatic)
        let difference = difference(try Self.generated.get(), kemar)
        #expect(difference < 2, "\(difference) dB")
    }

    @Test(.enabled(if: folder != nil && Kemar.isHere, DefaultPathTests.absence), arguments: heldOut)
    func headsHeldOutAreNearerThanToKemar(_ name: String) throws {
        let (kemar, _) = try #require(Kemar.automatic)
        let file = try FilterField.read(try #require(Self.folder) + name)
        let (field, _) = try FilterField.prepare(file, sampleRate: .cd)
        let (ours, another) = (difference(try Self.generated.get(), field), difference(kemar, field))
        #expect(ours < 2.4 && ours < another, "\(ours) dB, KEMAR \(another) dB")
    }
}
