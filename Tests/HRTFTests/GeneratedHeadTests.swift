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
            // One step of the rounding: mathematics libraries differ in the last bit.
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
        // The cone of confusion: equal interaural delay, different colour.
        let back = field.heard(Direction(azimuthDegrees: 160, elevationDegrees: 0)).bands[0]
        let above = field.heard(Direction(azimuthDegrees: 20, elevationDegrees: 45)).bands[0]
        #expect(CriticalBands.distance(front, back) > 2 && CriticalBands.distance(front, above) > 2)
    }
}
