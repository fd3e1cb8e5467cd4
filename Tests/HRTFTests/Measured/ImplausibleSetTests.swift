import Foundation
import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

/// Sets with values that no head can have are refused before memory is allocated for them.
@Suite("Implausible sets") struct ImplausibleSetTests {
    private static let directions = (0..<24).map {
        Direction<Head>(azimuthDegrees: Double($0) * 15, elevationDegrees: 0)
    }

    /// Returns the generated head's responses for a ring of directions, with delays in seconds by direction and ear.
    private func set(delays: (Int, Int) -> Double) -> FreeFieldHRIR {
        let directions = Self.directions
        return FreeFieldHRIR(
            path: "delayed", attributes: [:], sampleRate: 48_000, sampleCount: 256, directions: directions,
            distances: [Double](repeating: 1, count: directions.count),
            responses: GeneratedHead().responses(directions),
            delays: directions.indices.flatMap { index in (0..<2).map { delays(index, $0) * 48_000 } })
    }

    private func complaint(_ file: FreeFieldHRIR, _ processing: HRTFProcessing = .automatic) -> HRTFError? {
        do {
            _ = try FilterField.prepare(file, sampleRate: .studio, processing: processing)
            return nil
        } catch { return error }
    }

    @Test("delays that no head has are refused", arguments: [HRTFProcessing.automatic, .none])
    func delays(_ processing: HRTFProcessing) {
        let apart = complaint(set { index, ear in index == 3 && ear == 1 ? 1 : 0 }, processing)
        #expect(apart?.description.contains("differs between the ears in measurement 3 by 1000.0 ms") == true)
        let slight = complaint(set { _, ear in ear == 1 ? 0.0021 : 0 }, processing)
        #expect(slight?.description.contains("2.0 ms at most") == true, "\(String(describing: slight))")
        let late = complaint(set { index, _ in index == 3 ? -1 : 0 }, processing)
        #expect(late?.description.contains("differs between two directions by 1000.0 ms") == true)
    }

    @Test("a delay that all directions share is taken out, however long", arguments: [HRTFProcessing.automatic, .none])
    func common(_ processing: HRTFProcessing) throws {
        let (plain, _) = try FilterField.prepare(set { _, _ in 0 }, sampleRate: .studio, processing: processing)
        let (late, report) = try FilterField.prepare(set { _, _ in 1 }, sampleRate: .studio, processing: processing)
        #expect(abs(late.tapCount - plain.tapCount) <= 1)
        #expect(abs(report.commonDelayRemoved - 1) < 0.01)
    }

    @Test("the widest delays that are taken make a field of bounded length and memory")
    func bounded() throws {
        let (field, _) = try FilterField.prepare(
            set { index, ear in (index % 2 == 0 ? 0.018 : 0) + (ear == 1 ? 0.0015 : 0) }, sampleRate: .studio)
        #expect(field.tapCount < 2048)
        #expect(2 * field.tapCount * field.pointCount <= FieldPreparation.largestGrid * 11 / 10)
    }

    @Test("more memory than a set may take is refused before it is taken, and told")
    func memory() {
        let high = SampleRate(hertz: 768_000) ?? .studio
        let directions = (0..<1000).map { index -> Direction<Head> in
            Direction(azimuthDegrees: Double(index % 40) * 9, elevationDegrees: Double(index / 40) * 6 - 72)
        }
        let file = FreeFieldHRIR(
            path: "dense", attributes: [:], sampleRate: 8000, sampleCount: 800, directions: directions,
            distances: [Double](repeating: 1, count: directions.count),
            responses: (0..<(1600 * directions.count)).map { $0 % 800 == 2 ? 1 : 0 },
            delays: [Double](repeating: 0, count: 2 * directions.count))
        let error = #expect(throws: HRTFError.self) {
            var preparation = try FieldPreparation(
                file, sampleRate: high, options: HRTFOptions(processing: .none))
            _ = try preparation.content()
        }
        #expect(error?.description.contains("would take") == true)
    }
}
