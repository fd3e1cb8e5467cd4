import Capture
import Foundation
import Geometry
import SeededRandom
import Signal
import Testing

@Suite struct FieldEncoderTests {
    static let frames = 4096
    static let round = (0..<36).map { Direction<Device>(azimuthDegrees: 10 * Double($0), elevationDegrees: 0) }
    /// Every second of these directions, and rings above and below.
    static let measured =
        stride(from: 0, to: 36, by: 2).map { round[$0] }
        + (0..<6).flatMap { place in
            [-40.0, 40].map { Direction<Device>(azimuthDegrees: 60 * Double(place), elevationDegrees: $0) }
        }

    /// Returns the largest errors over plane waves, of which the default has 36: degrees, and dB of pressure and
    /// velocity.
    static func worst(
        _ filters: ArrayFilters, _ simulator: ArraySimulator, _ directions: [Direction<Device>] = round,
        band: ClosedRange<Double> = 100...5000, pink: Bool = false, isPlanar: Bool = false
    ) -> (degrees: Double, pressure: Double, velocity: Double) {
        let spectrum = noiseSpectrum(frames: frames, from: band.lowerBound, to: band.upperBound, pink: pink, seed: 3)
        let power = spectrum.reduce(0) { $0 + 2 * ($1 * $1).sum() } / Double(frames)
        var worst = (degrees: 0.0, pressure: 0.0, velocity: 0.0)
        for direction in directions {
            let field = FieldMeasure(
                filtered(filters, simulator.wave(direction.unit, spectrum: spectrum, frames: frames)))
            worst.degrees = max(worst.degrees, field.degrees(from: direction.unit))
            worst.pressure = max(worst.pressure, abs(10 * log10(field.pressure / power)))
            worst.velocity = max(worst.velocity, abs(10 * log10(field.velocity / power)))
        }
        return worst
    }

    static func encoder(_ array: MicrophoneArray, _ calibration: Calibration? = nil) throws -> FieldEncoder {
        let length = ArrayFilters.length(at: .studio)
        let responses =
            try calibration?.responses(of: array, length: length, sampleRate: .studio)
            ?? ArrayResponses(array.capsules, length: length, sampleRate: .studio)
        return try FieldEncoder(responses, array: array.name)
    }

    @Test(arguments: ["tetrahedral", "planar3", "planar4"], 1...5)
    func `36 plane waves up to 5 kHz come from where they came, as loud, though no capsule is like another`(
        name: String, seed: Int
    ) throws {
        let array = try MicrophoneArray(name)
        let simulator = ArraySimulator(array, decibels: 1, degrees: 5, seed: UInt64(seed))
        let encoder = try Self.encoder(array, simulator.calibration(Self.measured))
        for pink in [false, true] {
            let worst = Self.worst(encoder.filters, simulator, pink: pink)
            print("capture: \(name) seed \(seed) pink \(pink): \(worst)")
            #expect(worst.degrees <= 3)
            #expect(worst.pressure <= 1)
            #expect(worst.velocity <= 1)
        }
        #expect(encoder.silent == (name == "tetrahedral" ? [] : ["Z"]))
        let plain = Self.worst(try Self.encoder(array).filters, simulator)
        print("capture: \(name) seed \(seed) uncalibrated: \(plain)")
    }

    @Test(arguments: [250.0, 500, 1000, 2000, 4000])
    func `in each octave the direction holds`(centre: Double) throws {
        let array = try MicrophoneArray("tetrahedral")
        let encoder = try Self.encoder(array)
        let low = centre / 2.0.squareRoot()
        let worst = Self.worst(
            encoder.filters, ArraySimulator(array), Self.measured, band: low...min(5000, 2 * low))
        print("capture: octave \(centre): \(worst), noise \(encoder.noise)")
        #expect(worst.degrees <= 3)
    }

    @Test func `planar arrays leave Z silent and say so`() throws {
        for name in ["planar3", "planar4"] {
            let encoder = try Self.encoder(try MicrophoneArray(name))
            #expect(encoder.silent == ["Z"])
            for input in 0..<encoder.filters.inputCount {
                #expect(encoder.filters.filter(output: 2, input: input).allSatisfy { $0 == 0 })
            }
        }
        #expect(try Self.encoder(try MicrophoneArray("pair")).silent == ["Z", "X"])
    }
}
