import Foundation
import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

/// Sets without most of the sphere must still give sensible responses, and a remark about that.
@Suite struct SparseSetTests {
    /// Returns a set of the generated head's responses at some directions.
    private func set(_ directions: [(Double, Double)]) -> FreeFieldHRIR {
        let directions = directions.map { Direction<Head>(azimuthDegrees: $0.0, elevationDegrees: $0.1) }
        return FreeFieldHRIR(
            path: "sparse", attributes: [:], sampleRate: 48_000, sampleCount: 256, directions: directions,
            distances: [Double](repeating: 1, count: directions.count),
            responses: GeneratedHead().responses(directions),
            delays: [Double](repeating: 0, count: 2 * directions.count))
    }

    /// Expects at every direction a mean power below 40 (16 dB), and an interaural delay within the tolerance of a
    /// sphere's.
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

    @Test func farFromAllThatWasMeasuredTheSameConeStandsIn() throws {
        let directions = (0..<72).map { Direction<Head>(azimuthDegrees: Double($0) * 5, elevationDegrees: 0) }
        let completion = Completion(directions, SphericalSpline(directions))
        #expect(completion.surroundings(of: Direction(azimuthDegrees: 33, elevationDegrees: 5)).places == nil)
        for (azimuth, elevation) in [(20.0, 60.0), (-70, 40), (140, -50), (0, 90)] {
            let direction = Direction<Head>(azimuthDegrees: azimuth, elevationDegrees: elevation)
            let (share, places) = try #require(completion.surroundings(of: direction).places)
            #expect(share == 1 && abs(places.reduce(0) { $0 + $1.share } - 1) < 1e-12)
            for place in places {
                #expect(abs(place.at.unit.y - direction.unit.y) < 1e-9)
                #expect(abs(place.at.elevation) <= completion.reach)
            }
            // The nearer of front and back has the larger share.
            let front = places.first { $0.at.unit.x > 0 }?.share ?? 0
            #expect((front > 0.5) == (direction.unit.x > 1e-9) || elevation == 90, "\(front)")
        }
    }

    /// Leaves out the directions of KEMAR whose elevation in degrees passes `isLeftOut`. Returns mean errors there:
    /// critical bands in dB, their mean's difference between the ears in dB, interaural delays in µs.
    private func kemar(
        without isLeftOut: (Double) -> Bool
    ) throws -> (bands: Double, sides: Double, delay: Double) {
        let file = try #require(Kemar.file)
        let (kept, left) = (0..<file.measurementCount).reduce(into: ([Int](), [Int]())) { parts, index in
            let elevation = file.directions[index].elevation * 180 / .pi
            if isLeftOut(elevation) { parts.1.append(index) } else { parts.0.append(index) }
        }
        let (field, report) = try FilterField.prepare(file.keeping(kept), sampleRate: .cd, processing: .none)
        #expect(report.remarks.contains { $0.contains("cone") })
        var sums = (0.0, 0.0, 0.0)
        for index in left {
            let truth = Heard(
                file.response(index, receiver: 0), file.response(index, receiver: 1), sampleRate: 44_100)
            let played = field.heard(file.directions[index])
            var apart = 0.0
            for ear in 0..<2 {
                let (wanted, heard) = (truth.bands[ear], played.bands[ear])
                sums.0 += CriticalBands.distance(wanted, heard) / 2
                let mean = (heard.reduce(0, +) - wanted.reduce(0, +)) / Double(wanted.count)
                apart += ear == 0 ? mean : -mean
            }
            sums.1 += abs(apart)
            sums.2 += abs(truth.interauralDelay - played.interauralDelay) * 1e6
        }
        let count = Double(left.count)
        return (sums.0 / count, sums.1 / count, sums.2 / count)
    }

    @Test(.enabled(if: Kemar.isHere, Kemar.absence))
    func belowAHemisphereAHeadIsNotFarOff() throws {
        let error = try kemar { $0 < -1 }
        #expect(error.bands < 3.95 && error.sides < 1.65 && error.delay < 17, "\(error)")
    }

    @Test(.enabled(if: Kemar.isHere, Kemar.absence))
    func aboveAndBelowARingAHeadIsNotFarOff() throws {
        let error = try kemar { abs($0) > 1 }
        #expect(error.bands < 4.05 && error.sides < 1.3 && error.delay < 18, "\(error)")
    }

    @Test func oneDirectionIsPlayedFromEverywhereWithAHeadsDelays() throws {
        let (field, _) = try FilterField.prepare(set([(0, 0)]), sampleRate: .studio, processing: .none)
        expectSense(field, delayTolerance: 100e-6)
        let (left, _) = field.responses(Direction(azimuthDegrees: 0, elevationDegrees: 0))
        #expect(left.contains { abs($0) > 0.1 })
    }

    /// Sets of a few directions: far apart, close together, or repeated.
    @Test(
        arguments: [
            [(90, 0)], [(0, 90)], [(0, 0), (180, 0)], [(90, 0), (270, 0)], [(0, 0), (0.5, 0)],
            [(0, 0), (1, 0), (0, 1)], [(30, 0), (30, 0), (330, 0), (330, 0)], [(0, -90), (0, 0), (0, 90)],
        ])
    func aFewDirectionsPlayWithAHeadsDelays(_ directions: [(Double, Double)]) throws {
        for processing in [HRTFProcessing.automatic, .none] {
            let (field, _) = try FilterField.prepare(set(directions), sampleRate: .studio, processing: processing)
            expectSense(field, delayTolerance: 150e-6)
        }
    }

    @Test func onsetsFollowTheSphereWhereNeighboursAreFar() {
        func spline(_ azimuths: [Double]) -> SphericalSpline {
            SphericalSpline(azimuths.map { Direction(azimuthDegrees: $0, elevationDegrees: 0) })
        }
        let front = Direction<Head>(azimuthDegrees: 0, elevationDegrees: 0).unit
        #expect(spline([0]).sphereShare(at: front) == 1)
        #expect(spline([0, 90]).sphereShare(at: front) == 1)
        #expect(abs(spline([0, 30, 330]).sphereShare(at: front) - 0.25) < 1e-9)
        #expect(spline([0, 30, 330]).sphereShare(at: front, leavingOut: 0) == 1)
        #expect(spline([0, 15, 345, 90]).sphereShare(at: front) == 0)
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
