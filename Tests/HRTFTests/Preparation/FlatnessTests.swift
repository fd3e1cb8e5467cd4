import Geometry
import Glibc
import SOFA
import Signal
import Testing

@testable import HRTF

/// Flatness of the diffuse field, in thirds of an octave.
@Suite struct FlatnessTests {
    /// Applies a peaking filter of −5 dB at 12.8 kHz, Q 2, to all responses (R. Bristow-Johnson, "Cookbook formulae for
    /// audio equalizer biquad filter coefficients").
    private func dull(_ file: inout FreeFieldHRIR) {
        let (gain, turn) = (pow(10, -5.0 / 40), 2 * Double.pi * 12_800 / file.sampleRate)
        let width = sin(turn) / 4
        let (b0, b1, b2) = (1 + width * gain, -2 * cos(turn), 1 - width * gain)
        let (a0, a2) = (1 + width / gain, 1 - width / gain)
        for row in 0..<(2 * file.measurementCount) {
            var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
            for i in (row * file.sampleCount)..<((row + 1) * file.sampleCount) {
                let x = Double(file.responses[i])
                let y = (b0 * x + b1 * x1 + b2 * x2 - b1 * y1 - a2 * y2) / a0
                (x2, x1, y2, y1) = (x1, x, y1, y)
                file.responses[i] = Float(y)
            }
        }
    }

    /// Returns the largest deviation of a field from flat over all directions, dB.
    static func deviation(_ field: FilterField) -> Double {
        let grid = RingGrid(stepDegrees: 8)
        var power = [Double](repeating: 0, count: 1025)
        for (direction, weight) in zip(grid.directions(in: Head.self), grid.solidAngles) {
            let heard = field.heard(direction, count: 2048)
            for bin in power.indices { power[bin] += weight * (heard.power[0][bin] + heard.power[1][bin]) }
        }
        return abs(
            DiffuseField(power: power, binHz: field.sampleRate.hertz / 2048).largestDeviation.decibels)
    }

    /// The mean deviation of this set over 0.2–16 kHz is below 2 dB, so the former measure called it flat.
    @Test func oneDullBandIsEqualised() throws {
        var file = try FilterField.read(Sources.catalogue + "/generated.sofa")
        dull(&file)
        let (field, report) = try FilterField.prepare(file, sampleRate: .studio)
        #expect(report.diffuseFieldDeviation > 2)
        #expect(report.processing.contains { $0.contains("diffuse-field equalisation") }, "\(report.processing)")
        #expect(Self.deviation(field) < 1, "\(Self.deviation(field)) dB")
    }

    @Test(
        .enabled(if: DefaultPathTests.folder != nil, DefaultPathTests.absence), arguments: DefaultPathTests.others)
    func measuredSetsAreFlat(_ name: String) throws {
        let file = try FilterField.read(try #require(DefaultPathTests.folder) + name)
        let (field, _) = try FilterField.prepare(file, sampleRate: try #require(SampleRate(hertz: file.sampleRate)))
        #expect(Self.deviation(field) < 1, "\(Self.deviation(field)) dB")
    }
}
