import Geometry
import Glibc
import Testing

@testable import SOFA

/// The listener's View and Up in the coordinates that files give them, with or without a Type.
@Suite("Listener's axes") struct ListenerAxesTests {
    private static let spherical = [("Type", "spherical"), ("Units", "degree, degree, metre")]
    private static let cartesian = [("Type", "cartesian"), ("Units", "metre")]
    private static let azimuths = [0.0, 45, 90, 180, 270, 315]

    /// Returns a turntable: one source in front, the listener turned to the right by the draft's azimuths.
    private func turntable(
        up: [Double], _ attributes: [(String, String)] = [], view: [(String, String)] = spherical, scale: Double = 1,
        elevation: Double = 0
    ) -> Draft {
        var draft = Draft()
        draft.variables["SourcePosition"] = ([0, 0, 1.5], [1, 3], Self.spherical)
        draft.variables["ListenerView"] = (
            Self.azimuths.flatMap { [(360 - $0).truncatingRemainder(dividingBy: 360) * scale, elevation * scale, 1] },
            [6, 3], view
        )
        draft.variables["ListenerUp"] = (up, [up.count / 3, 3], attributes)
        return draft
    }

    /// Returns the largest angle between the directions read and the azimuths, degrees.
    private func error(_ set: FreeFieldHRIR) -> Double {
        zip(set.directions, Self.azimuths).map {
            $0.angle(to: Direction(azimuthDegrees: $1, elevationDegrees: 0)) * 180 / .pi
        }.max() ?? 180
    }

    @Test("0 0 1 without a Type beside a spherical View points upwards, and this is said") func common() throws {
        let rows = [[Double]](repeating: [0, 0, 1], count: 6).flatMap { $0 }
        for up: [Double] in [[0, 0, 1], [0, 0, 1.4], rows] {
            let set = try turntable(up: up).read()
            #expect(set.measurementCount == 6 && error(set) < 1e-9)
            #expect(set.remarks.contains { $0.contains("ListenerUp does not say its Type; read as cartesian") })
        }
        let typed = try turntable(up: [0, 0, 1], Self.cartesian).read()
        #expect(typed.remarks.isEmpty)
        #expect(try turntable(up: [0, 0, 1]).read().directions == typed.directions)
        // SourcePosition gives the same set, equal in every bit.
        var plain = Draft()
        plain.variables["SourcePosition"] = (Self.azimuths.flatMap { [$0, 0, 1.5] }, [6, 3], Self.spherical)
        let stored = try plain.read()
        #expect(stored.directions == typed.directions && stored.responses == typed.responses)
    }

    @Test("a turned head has the directions of one that looks to the front, to the bit") func turned() throws {
        for azimuth in 0..<360 {
            let turn = Double(azimuth) * .pi / 180
            for elevation in [-80.0, -30, 0, 45] {
                func room(_ degrees: Double) -> SIMD3<Double> {
                    Direction<Head>(azimuth: degrees * (.pi / 180), elevation: elevation * (.pi / 180)).unit
                }
                let plain = HeadAxes.facingFront.direction(ofRoom: room(Double(azimuth)))
                let axes = try #require(HeadAxes(view: SIMD3(cos(turn), -sin(turn), 0), up: SIMD3(0, 0, 1)))
                let seen = axes.direction(ofRoom: room(0) * 1.4)
                #expect(seen == plain || axes == .facingFront, "\(azimuth)°, \(elevation)°")
            }
        }
    }

    @Test("azimuth, elevation and radius without a Type are View's coordinates, radians too") func inherited() throws {
        let degrees = try turntable(up: [0, 90, 1]).read()
        #expect(error(degrees) < 1e-9 && degrees.remarks.isEmpty)
        let radians = try turntable(
            up: [0, .pi / 2, 1], view: [("Type", "spherical"), ("Units", "radian, radian, metre")], scale: .pi / 180
        ).read()
        #expect(error(radians) < 1e-9 && radians.remarks.isEmpty)
    }

    @Test("a View to the zenith has 0 0 1 as spherical: it would be parallel to it as cartesian") func zenith() throws {
        var draft = turntable(up: [0, 0, 1])
        draft.variables["SourcePosition"] = Draft().variables["SourcePosition"]
        draft.variables["ListenerView"] = ([0, 90, 1], [1, 3], Self.spherical)
        let set = try draft.read()
        #expect(set.remarks.isEmpty)
        // The head's front is the room's up, its up the room's front: azimuth 0, elevation 10 is at elevation 80.
        #expect(set.directions[0].angle(to: Direction(azimuthDegrees: 0, elevationDegrees: 80)) < 1e-9)
    }

    @Test("Units say what a missing Type does not") func units() throws {
        let metres = try turntable(up: [0, 0, 1], [("Units", "metre")]).read()
        #expect(error(metres) < 1e-9 && metres.remarks.contains { $0.contains("since its Units are metres") })
        let angles = try turntable(up: [0, 90, 1], [("Units", "degree, degree, metre")]).read()
        #expect(error(angles) < 1e-9 && angles.remarks.contains { $0.contains("ListenerUp does not say its Type") })
        var draft = Draft()
        draft.variables["SourcePosition"] = (
            [1, 0, 0, 0, 1, 0, 0, 2, 0, -1, 0, 0, 0, -1, 0, 0, 0, 3], [6, 3], [("Units", "metre, metre, metre")]
        )
        let set = try draft.read()
        #expect(set.directions[1].angle(to: Direction(azimuthDegrees: 90, elevationDegrees: 0)) < 1e-9)
        #expect(set.remarks.contains { $0.contains("SourcePosition does not say its Type; read as cartesian") })
    }

    @Test("a converted set has the directions that were read", arguments: [[0.0, 0, 1], [0, 90, 1]])
    func conversion(_ up: [Double]) throws {
        let path = try turntable(up: up).write()
        defer { Draft.remove(path) }
        let file = try HDF5File(path: path)
        let variables = SOFAVariables(file: file, measurements: 6)
        let stored = try variables.storedOrientation(of: "Listener")
        var remarks: [String] = []
        let axes = try variables.orientation(&remarks)
        #expect(axes.allSatisfy { abs($0.up.z - 1) < 1e-12 })
        let isSpherical = stored[1].attributes.contains { $0.1 == "spherical" }
        #expect(isSpherical == (up[1] == 90))
        #expect(isSpherical || abs(stored[1].values[2] - 1) < 1e-12)
    }
}
