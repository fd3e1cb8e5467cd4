import Foundation
import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

/// Sources nearer than the distance at which a set was measured.
@Suite struct NearFieldTests {
    @Test func aSourceFarAwayIsAPlaneWave() {
        let sphere = RigidSphere()
        let cosines = [1, 0.5, 0, -0.5, -0.9, -1]
        for frequency in [0.0, 200, 1000, 4000, 12_000] {
            let plane = sphere.response(frequency: frequency, cosines: cosines)
            let far = sphere.response(frequency: frequency, cosines: cosines, distance: 2000)
            for (a, b) in zip(plane, far) {
                #expect(hypot(a.real - b.real, a.imaginary - b.imaginary) < 0.01, "\(frequency) Hz: \(a), \(b)")
            }
        }
    }

    @Test func theFieldAtTheLowestFrequenciesIsThatOfAPointCharge() {
        // At 0 Hz the pressure on a rigid sphere is Σ (2m+1)/(m+1)·ρ^{−m}·P_m(cos θ), relative to the pressure at the
        // centre (potential flow).
        let sphere = RigidSphere()
        let distance = 0.25
        let rho = distance / sphere.radius
        for angle in [0.0, 0.7, 1.5, 2.4, Double.pi] {
            var (sum, legendre, before) = (0.0, 1.0, 0.0)
            for order in 0..<80 {
                let m = Double(order)
                sum += (2 * m + 1) / (m + 1) * pow(rho, -m) * legendre
                (legendre, before) = (((2 * m + 1) * cos(angle) * legendre - m * before) / (m + 1), legendre)
            }
            let value = sphere.response(frequency: 0, cosines: [cos(angle)], distance: distance)[0]
            #expect(abs(value.real - sum) < 2e-3 && abs(value.imaginary) < 0.05, "\(value) where \(sum) is due")
        }
    }

    @Test func frontsArriveByTheShortestWay() {
        let sphere = RigidSphere()
        for angle in [0.0, 1, 1.3, 2, 3] {
            let far = sphere.arrival(angle: angle, distance: 1e5)
            #expect(abs(far - sphere.arrival(angle: angle)) < 1e-7)
        }
        #expect(abs(sphere.arrival(angle: 0, distance: 0.3) + sphere.radiusTime) < 1e-12)
        // At the edge of the lit zone the direct path and the path around the sphere are equally long.
        let edge = acos(sphere.radius / 0.3)
        let (light, shade) = (
            sphere.arrival(angle: edge - 1e-9, distance: 0.3), sphere.arrival(angle: edge + 1e-9, distance: 0.3)
        )
        #expect(abs(light - shade) < 1e-10)
    }

    /// Returns the level of the left ear over that of the right between two frequencies, dB.
    private static func interauralLevel(_ heard: Heard, from low: Double, to high: Double) -> Double {
        let bins = Int((low / heard.binHz).rounded())...Int((high / heard.binHz).rounded())
        let energies = heard.power.map { power in bins.reduce(0) { $0 + power[$1] } }
        return 10 * log10(energies[0] / energies[1])
    }

    @Test(.enabled(if: DefaultPathTests.folder != nil, DefaultPathTests.absence))
    func theNearFieldMadeFromAFarRingIsTheOneMeasured() throws {
        let folder = try #require(DefaultPathTests.folder)
        let far = try FilterField.read(folder + "supdeq__HRIR_CIRC360.sofa")
        let near = try FilterField.read(folder + "supdeq__HRIR_CIRC360_NF025.sofa")
        var options = HRTFOptions()
        options.distance = 0.25
        let (field, report) = try FilterField.prepare(far, sampleRate: .studio, options: options)
        let (plain, _) = try FilterField.prepare(far, sampleRate: .studio)
        #expect(report.processing.contains { $0.contains("0.25 m, from the set's 3.25 m") }, "\(report.processing)")
        var (made, unmade, delay) = (0.0, 0.0, 0.0)
        let places = Array(stride(from: 0, to: near.measurementCount, by: 4))
        for index in places {
            let truth = Heard(near.response(index, receiver: 0), near.response(index, receiver: 1), sampleRate: 48_000)
            let level = Self.interauralLevel(truth, from: 100, to: 1500)
            let (a, b) = (field.heard(near.directions[index]), plain.heard(near.directions[index]))
            made += abs(Self.interauralLevel(a, from: 100, to: 1500) - level)
            unmade += abs(Self.interauralLevel(b, from: 100, to: 1500) - level)
            delay += abs(a.interauralDelay - truth.interauralDelay) * 1e6
        }
        let count = Double(places.count)
        #expect(made / count <= 0.9, "\(made / count) dB")
        #expect(unmade / count > 4, "\(unmade / count) dB")
        #expect(delay / count < 30, "\(delay / count) µs")
    }

    /// Returns the far ring and the near ring in one set.
    private static func rings() throws -> FreeFieldHRIR {
        let directions = (0..<72).map { Direction<Head>(azimuthDegrees: 5 * Double($0), elevationDegrees: 0) }
        let responses = GeneratedHead().responses(directions)
        // The near ring is half as loud, so that the test can distinguish the rings.
        return FreeFieldHRIR(
            path: "rings", attributes: [:], sampleRate: 48_000, sampleCount: 256, directions: directions + directions,
            distances: [Double](repeating: 2, count: 72) + [Double](repeating: 0.4, count: 72),
            responses: responses + responses.map { $0 / 2 }, delays: [Double](repeating: 0, count: 288))
    }

    @Test(arguments: [(nil, 2.0), (3.0, 2.0), (0.5, 0.4), (0.25, 0.4), (0.4, 0.4)] as [(Double?, Double)])
    func theRingNearestToTheDistanceIsUsed(_ wanted: Double?, _ used: Double) throws {
        let set = try MeasuredSet(try Self.rings(), distance: wanted)
        #expect(abs(set.distance - used) < 1e-9 && set.directions.count == 72)
        #expect(
            set.remarks.contains { $0.contains("those near \(used == 2 ? "2.0" : "0.4") m are used") }, "\(set.remarks)"
        )
    }

    @Test func whatIsMeasuredAtADistanceIsPlayedAsItIs() throws {
        let file = try Self.rings()
        var options = HRTFOptions()
        options.distance = 0.4
        let (field, report) = try FilterField.prepare(file, sampleRate: .studio, options: options)
        let (alone, _) = try FilterField.prepare(file.keeping(Array(72..<144)), sampleRate: .studio)
        #expect(report.processing.contains { $0.contains("measured at this distance") })
        let direction = Direction<Head>(azimuthDegrees: 40, elevationDegrees: 0)
        #expect(field.responses(direction) == alone.responses(direction))
    }

    @Test func singleSourcesHaveFieldsOfTheirOwn() throws {
        let file = try Self.rings().keeping(Array(0..<72))
        var options = HRTFOptions()
        options.sourceDistances = [0.25, 0.5]
        let (field, report) = try FilterField.prepare(file, sampleRate: .studio, options: options)
        #expect(field.shellCount == 3 && report.processing.count { $0.contains("sources at") } == 2)
        let ahead = Direction<Head>(azimuthDegrees: 0, elevationDegrees: 0)
        let beside = Direction<Head>(azimuthDegrees: 90, elevationDegrees: 0)
        for (shell, distance) in [(0, nil), (1, 0.25), (2, 0.5)] as [(Int, Double?)] {
            var alone = HRTFOptions()
            alone.distance = distance
            let (other, _) = try FilterField.prepare(file, sampleRate: .studio, options: alone)
            // Interaural differences are compared: the level and the onset of the two fields differ.
            func heard(_ field: FilterField, _ direction: Direction<Head>, _ shell: Int) -> Heard {
                let (left, right) = field.responses(direction, shell: shell)
                return Heard(left, right, sampleRate: 48_000)
            }
            let (a, b) = (heard(field, beside, shell), heard(other, beside, 0))
            #expect(abs(a.interauralDelay - b.interauralDelay) < 1e-7)
            for frequency in [200.0, 1000, 5000] {
                let levels = [a, b].map { $0.level(0, at: frequency) - $0.level(1, at: frequency) }
                #expect(abs(levels[0] - levels[1]) < 0.02, "\(frequency) Hz: \(levels)")
            }
            // All shells arrive at the same time at the centre of the head; an onset in front differs by the path
            // around the head.
            let sphere = RigidSphere(radius: report.headRadius)
            let angle = 100 * Double.pi / 180
            let near = distance.map {
                sphere.arrival(angle: angle, distance: $0) - sphere.arrival(angle: angle, distance: 2)
            }
            let later = heard(field, ahead, shell).onsets.left - heard(field, ahead, 0).onsets.left
            #expect(abs(later - (near ?? 0)) < 25e-6, "\(later * 1e6) µs where \((near ?? 0) * 1e6) are due")
        }
    }

    @Test func aFewNearDirectionsAreNoRing() throws {
        var file = try Self.rings()
        file = file.keeping(Array(0..<72) + Array(72..<80))
        #expect(try MeasuredSet(file, distance: 0.3).distance == 2)
    }
}
