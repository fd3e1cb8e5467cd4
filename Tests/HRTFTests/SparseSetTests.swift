import Foundation
import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

/// Sets that leave most of the sphere out must still play sensibly, and say so.
@Suite struct SparseSetTests {
    /// The generated head at some directions.
    private func set(_ directions: [(Double, Double)]) -> FreeFieldHRIR {
        let directions = directions.map { Direction<Head>(azimuthDegrees: $0.0, elevationDegrees: $0.1) }
        return FreeFieldHRIR(
            path: "sparse", attributes: [:], sampleRate: 48_000, sampleCount: 256, directions: directions,
            distances: [Double](repeating: 1, count: directions.count),
            responses: GeneratedHead().responses(directions),
            delays: [Double](repeating: 0, count: 2 * directions.count))
    }

    /// Finite everywhere, never louder than 12 dB above the loudest, and with the delay of a head.
    private func expectSense(_ field: FilterField, delayTolerance: Double) {
        let sphere = RigidSphere()
        for direction in RingGrid(stepDegrees: 20).directions(in: Head.self) {
            let heard = field.heard(direction)
            let energy = heard.power.flatMap { $0 }.reduce(0, +) / 1026
            #expect(energy.isFinite && energy < 40, "\(direction)")
            let expected =
                sphere.arrival(angle: direction.incidence(ear: 0))
                - sphere.arrival(angle: direction.incidence(ear: 1))
            #expect(abs(heard.interauralDelay - expected) < delayTolerance, "\(direction)")
        }
    }

    @Test(arguments: [HRTFProcessing.automatic, .none])
    func fourDirectionsMakeAField(_ processing: HRTFProcessing) throws {
        let (field, report) = try FilterField.prepare(
            set([(45, 0), (135, 0), (225, 0), (315, 0)]), sampleRate: .studio, processing: processing)
        expectSense(field, delayTolerance: 200e-6)
        #expect(report.remarks.contains { $0.contains("4 directions") })
    }

    @Test func aRingHasHeightOnlyByExtrapolationAndSaysSo() throws {
        let (field, report) = try FilterField.prepare(set((0..<72).map { (Double($0) * 5, 0) }), sampleRate: .studio)
        expectSense(field, delayTolerance: 150e-6)
        #expect(report.remarks.contains { $0.contains("ring") })
    }

    @Test func aHemisphereIsExtrapolatedBelowAndSaysSo() throws {
        let upper = GeneratedHead.directions.filter { $0.elevation >= -1e-9 }.map {
            ($0.azimuth * 180 / .pi, $0.elevation * 180 / .pi)
        }
        let (field, report) = try FilterField.prepare(set(upper), sampleRate: .studio)
        expectSense(field, delayTolerance: 150e-6)
        #expect(report.remarks.contains { $0.contains("below") })
    }

    @Test func oneDirectionIsPlayedFromEverywhereWithAHeadsDelays() throws {
        let (field, _) = try FilterField.prepare(set([(0, 0)]), sampleRate: .studio, processing: .none)
        expectSense(field, delayTolerance: 100e-6)
        let (left, _) = field.responses(Direction(azimuthDegrees: 0, elevationDegrees: 0))
        #expect(left.contains { abs($0) > 0.1 })
    }

    @Test func earsInTheWrongOrderAreExchangedAndSaid() throws {
        var file = set(GeneratedHead.directions.map { ($0.azimuth * 180 / .pi, $0.elevation * 180 / .pi) })
        let (right, report) = try FilterField.prepare(file, sampleRate: .studio)
        #expect(!report.remarks.contains { $0.contains("exchanged") })
        for index in 0..<file.measurementCount {
            let start = 512 * index
            let left = Array(file.responses[start..<(start + 256)])
            file.responses.replaceSubrange(start..<(start + 256), with: file.responses[(start + 256)..<(start + 512)])
            file.responses.replaceSubrange((start + 256)..<(start + 512), with: left)
        }
        let (exchanged, told) = try FilterField.prepare(file, sampleRate: .studio)
        #expect(told.remarks.contains { $0.contains("exchanged") })
        let direction = Direction<Head>(azimuthDegrees: 77, elevationDegrees: 5)
        #expect(right.responses(direction) == exchanged.responses(direction))
    }

    @Test func roomsAreNoHeads() throws {
        let file = FreeFieldHRIR(
            path: "room.sofa", attributes: [:], sampleRate: 48_000, sampleCount: 24_000,
            directions: [Direction(azimuthDegrees: 0, elevationDegrees: 0)], distances: [1],
            responses: [Float](repeating: 0.1, count: 48_000), delays: [0, 0])
        #expect(throws: HRTFError.self) { try FilterField.prepare(file, sampleRate: .studio) }
    }

    @Test func theMostCommonDistanceIsUsedAndRepeatedDirectionsDropped() throws {
        var file = set([(0, 0), (90, 0), (180, 0), (270, 0), (0, 0), (30, 0)])
        file.distances = [1, 1, 1, 1, 1, 0.25]
        let chosen = try MeasuredSet(file)
        #expect(chosen.directions.count == 4 && chosen.remarks.count == 2)
    }
}
