import Foundation
import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

@Suite struct GeneratedHeadTests {
    private let path = Sources.catalogue + "/generated.sofa"

    @Test func theCommittedFileIsWhatTheGeneratorMakes() throws {
        let file = try FreeFieldHRIR(contentsOf: path)
        let directions = GeneratedHead.directions
        #expect(file.measurementCount == directions.count && file.sampleRate == 48_000 && file.sampleCount == 256)
        let some = stride(from: 0, to: directions.count, by: 41).map { $0 }
        let made = GeneratedHead().responses(some.map { directions[$0] })
        for (place, index) in some.enumerated() {
            #expect(file.directions[index].angle(to: directions[index]) < 1e-6)
            let stored = file.responses[(512 * index)..<(512 * (index + 1))]
            let difference = zip(stored, made[(512 * place)..<(512 * (place + 1))]).map { abs($0 - $1) }.max() ?? 1
            // Bound: one rounding step, as mathematics libraries differ in the last bit.
            #expect(difference <= GeneratedHead.quantum * 1.01, "direction \(index)")
        }
    }

    @Test func theCommittedFileIsSmallFreeAndCited() throws {
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? .max
        #expect(size < 1_500_000)
        let file = try FreeFieldHRIR(contentsOf: path)
        #expect(file.attribute("License")?.contains("CC0") == true)
        #expect(file.attribute("References")?.contains("Duda") == true && file.remarks.isEmpty)
    }

    @Test func leftAndRightMirrorEachOther() {
        let pair = [(40.0, 20.0), (-40, 20)].map { Direction<Head>(azimuthDegrees: $0.0, elevationDegrees: $0.1) }
        let made = GeneratedHead().responses(pair)
        for i in 0..<256 {
            #expect(abs(made[i] - made[768 + i]) < 1e-5 && abs(made[256 + i] - made[512 + i]) < 1e-5)
        }
    }

    @Test func frontAndBackAndHeightsDiffer() throws {
        let (field, _) = try FilterField.prepare(FreeFieldHRIR(contentsOf: path), sampleRate: .studio)
        let front = field.heard(Direction(azimuthDegrees: 20, elevationDegrees: 0)).bands[0]
        // Directions on the cone of confusion: the same interaural delay, different spectra.
        let back = field.heard(Direction(azimuthDegrees: 160, elevationDegrees: 0)).bands[0]
        let above = field.heard(Direction(azimuthDegrees: 20, elevationDegrees: 45)).bands[0]
        #expect(CriticalBands.distance(front, back) > 2 && CriticalBands.distance(front, above) > 2)
    }

    @Test func itIsFlatForSoundFromEverywhere() throws {
        let file = try FreeFieldHRIR(contentsOf: path)
        let weights = DiffuseField.weights(file.directions)
        var power = [Double](repeating: 0, count: 513)
        for index in 0..<file.measurementCount {
            let heard = Heard(file.response(index, receiver: 0), file.response(index, receiver: 1), sampleRate: 48_000)
            for bin in power.indices {
                power[bin] += weights[index] * (heard.power[0][bin] + heard.power[1][bin]) / 2
            }
        }
        let smoothed = DiffuseField(power: power, binHz: 48_000 / 1024).smoothedDecibels(heldBelow: 100)
        let heard = smoothed.indices.filter { (100...16_000).contains(Double($0) * 48_000 / 1024) }.map { smoothed[$0] }
        let (least, most) = (heard.min() ?? -99, heard.max() ?? 99)
        #expect(most - least < 2, "\(least) to \(most) dB")
    }

    @Test func theFirstNotchRisesWithElevation() throws {
        let (field, _) = try FilterField.prepare(FreeFieldHRIR(contentsOf: path), sampleRate: .studio)
        // Iida et al. (2007): the first notch rises from 6 kHz below the front to 9 kHz and more above it.
        let expected = [(-30.0, 6000.0...6900.0), (0, 7100...8000), (30, 8600...9800)]
        for (elevation, range) in expected {
            let heard = field.heard(Direction(azimuthDegrees: 0, elevationDegrees: elevation))
            let bins = (Int(5500 / heard.binHz)...Int(9900 / heard.binHz))
            let levels = bins.map { bin in (bin - 2...bin + 2).reduce(0) { $0 + heard.power[0][$1] } }
            let least = try #require(levels.indices.min { levels[$0] < levels[$1] })
            let notch = Double(bins.lowerBound + least) * heard.binHz
            #expect(range.contains(notch), "\(notch) Hz at \(elevation)°")
        }
    }

    @Test func theOuterEarShadesWhatComesFromBehind() throws {
        let (field, _) = try FilterField.prepare(FreeFieldHRIR(contentsOf: path), sampleRate: .studio)
        // Front and back mirrored in the plane of the ears: a sphere with ears at ±90° has the same response for both.
        for azimuth in [20.0, 40, 60] {
            let (front, back) = (
                field.heard(Direction(azimuthDegrees: azimuth, elevationDegrees: 0)),
                field.heard(Direction(azimuthDegrees: 180 - azimuth, elevationDegrees: 0))
            )
            let (low, high) = ((600.0, 1500.0), (3000.0, 6000.0))
            let difference = { (range: (Double, Double)) -> Double in
                let bins = Int(range.0 / front.binHz)...Int(range.1 / front.binHz)
                let power = { (heard: Heard) in bins.reduce(0) { $0 + heard.power[0][$1] } }
                return 10 * log10(power(front) / power(back))
            }
            #expect(abs(difference(low)) < 3 && difference(high) > 3, "\(azimuth)°: \(difference(high)) dB")
        }
    }
}
