import CHDF5
import Foundation
import Geometry
import Testing

@testable import SOFA

private let spherical = [("Type", "spherical"), ("Units", "degree, degree, metre")]
private let cartesian = [("Type", "cartesian"), ("Units", "metre")]

/// Returns the angle between two directions, degrees.
private func degrees(_ a: Direction<Head>, _ azimuth: Double, _ elevation: Double) -> Double {
    a.angle(to: Direction(azimuthDegrees: azimuth, elevationDegrees: elevation)) * 180 / .pi
}

@Suite struct ReadingTests {
    static let data = ProcessInfo.processInfo.environment["PROSCENIUM_DATA"]

    @Test func whatIsWrittenIsRead() throws {
        let set = try Draft().read()
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("written-\(UUID()).sofa").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try set.write(to: path)
        let again = try FreeFieldHRIR(contentsOf: path)
        #expect(again.responses == set.responses && again.delays == set.delays)
        #expect(again.sampleRate == 48_000 && again.sampleCount == 32 && again.measurementCount == 6)
        for (a, b) in zip(again.directions, set.directions) { #expect(a.angle(to: b) < 1e-12) }
        #expect(again.remarks.isEmpty)
    }

    @Test func equalSetsGiveEqualFilesWithTheDimensionsOfNetCDF() throws {
        let set = try Draft().read()
        let folder = FileManager.default.temporaryDirectory.path
        let paths = (0..<2).map { "\(folder)/equal-\(UUID())-\($0).sofa" }
        defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
        for path in paths {
            try set.write(to: path)
            // HDF5 keeps times in whole seconds: a stored time would make the files differ.
            usleep(1_100_000)
        }
        let bytes = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(bytes[0] == bytes[1])
        let file = try HDF5File(path: paths[0])
        for (name, size) in [("M", 6), ("R", 2), ("N", 32), ("E", 1), ("C", 3), ("I", 1)] {
            #expect(try file.shape(of: name) == [size])
            #expect(try file.text("CLASS", of: name) == "DIMENSION_SCALE")
            #expect(try file.text("NAME", of: name)?.hasSuffix(" \(size)") == true)
        }
    }

    @Test func positionsMayBeCartesian() throws {
        var draft = Draft()
        draft.variables["SourcePosition"] = (
            [1, 0, 0, 1, 1, 0, 0, 2, 0, -1, 0, 0, 0, -1, 0, 0, 0, 3], [6, 3], cartesian
        )
        let set = try draft.read()
        #expect(degrees(set.directions[1], 45, 0) < 1e-9 && degrees(set.directions[5], 0, 90) < 1e-9)
        #expect(abs(set.distances[1] - 2.0.squareRoot()) < 1e-12)
    }

    @Test(arguments: ["degree, degree, meter", "Degrees,degrees,meters", "deg deg m"])
    func unitsMayBeSpeltAsTheyLike(_ units: String) throws {
        var draft = Draft()
        draft.variables["SourcePosition"]?.attributes = [("Type", "Spherical"), ("Units", units)]
        #expect(degrees(try draft.read().directions[1], 45, 10) < 1e-9)
    }

    @Test func anglesMayBeRadians() throws {
        var draft = Draft()
        let values = (0..<6).flatMap { k -> [Double] in [Double(k) * 0.1, 0.2, 1] }
        draft.variables["SourcePosition"] = (
            values, [6, 3], [("Type", "spherical"), ("Units", "radian, radian, metre")]
        )
        #expect(degrees(try draft.read().directions[3], 0.3 * 180 / .pi, 0.2 * 180 / .pi) < 1e-9)
    }

    @Test func aTurnedListenerTurnsTheSourcesTheOtherWay() throws {
        var draft = Draft()
        draft.variables["ListenerView"] = ([0, 1, 0], [1, 3], cartesian)
        let set = try draft.read()
        // A source at room azimuth 90° is straight ahead of a head that faces that way.
        let tilted = Direction<Head>(azimuthDegrees: 0, elevationDegrees: 10)
        #expect(set.directions[2].angle(to: tilted) < 1e-9)
    }

    @Test func aTurntableIsReadFromListenerView() throws {
        var draft = Draft()
        draft.variables["SourcePosition"] = ([0, 0, 1], [1, 3], spherical)
        let views = (0..<6).flatMap { k -> [Double] in [cos(Double(k)), sin(Double(k)), 0] }
        draft.variables["ListenerView"] = (views, [6, 3], cartesian)
        let set = try draft.read()
        for k in 0..<6 { #expect(degrees(set.directions[k], -Double(k) * 180 / .pi, 0) < 1e-9) }
    }

    @Test func aListenerAwayFromTheOriginSeesSourcesFromThere() throws {
        var draft = Draft()
        draft.variables["ListenerPosition"] = ([1, 0, 0], [1, 3], cartesian)
        draft.variables["SourcePosition"] = (
            [2, 0, 0, 1, 1, 0, 1, 2, 0, 0, 0, 0, 1, -1, 0, 1, 0, 3], [6, 3], cartesian
        )
        let set = try draft.read()
        #expect(degrees(set.directions[1], 90, 0) < 1e-9 && degrees(set.directions[3], 180, 0) < 1e-9)
        #expect(abs(set.distances[2] - 2) < 1e-12)
    }

    @Test func delaysArePerMeasurementOrForAll() throws {
        var draft = Draft()
        draft.variables["Data.Delay"] = ((0..<12).map { Double($0) - 3.5 }, [6, 2], [])
        let set = try draft.read()
        #expect(set.delays[5] == 1.5 && set.remarks.contains { $0.contains("negative") })
        draft.variables["Data.Delay"] = ([3, 4], [1, 2], [])
        #expect(try draft.read().delays.suffix(2) == [3, 4])
        draft.variables["Data.Delay"] = ([0.0002, 0.0001], [1, 2], [])
        #expect(try draft.read().remarks.contains { $0.contains("seconds") })
        draft.variables["Data.Delay"] = nil
        #expect(try draft.read().delays.allSatisfy { $0 == 0 })
    }

    @Test func attributesMayBeOfVariableLengthLatin1OrNull() throws {
        var draft = Draft()
        draft.finish = { file in
            let text = H5Tcopy(chdf5_c_s1())
            H5Tset_size(text, Int(bitPattern: UInt.max))
            let scalar = H5Screate(H5S_SCALAR)
            let comment = H5Acreate2(file, "Comment", text, scalar, 0, 0)
            "a comment".withCString { pointer in
                var value: UnsafePointer<CChar>? = pointer
                H5Awrite(comment, text, &value)
            }
            H5Aclose(comment)
            let fixed = H5Tcopy(chdf5_c_s1())
            H5Tset_size(fixed, 7)
            let organization = H5Acreate2(file, "Organization", fixed, scalar, 0, 0)
            H5Awrite(organization, fixed, [0x4b, 0xf6, 0x6c, 0x6e, 0x1b, 0x20, 0x00] as [UInt8])
            H5Aclose(organization)
            let null = H5Screate(H5S_NULL)
            H5Aclose(H5Acreate2(file, "Origin", fixed, null, 0, 0))
            H5Sclose(null)
            H5Sclose(scalar)
            H5Tclose(fixed)
            H5Tclose(text)
        }
        let set = try draft.read()
        #expect(set.attribute("Comment") == "a comment")
        // Latin-1 is decoded; control characters are removed.
        #expect(set.attribute("Organization") == "Köln")
        #expect(set.attribute("Origin") == nil)
    }

    @Test func aSilentDirectionIsLeftOutAndSaid() throws {
        var draft = Draft()
        for i in 128..<192 { draft.variables["Data.IR"]?.values[i] = 0 }
        let set = try draft.read()
        #expect(set.measurementCount == 5 && set.remarks.contains { $0.contains("silent") })
        #expect(degrees(set.directions[2], 180, 10) < 1e-9)
    }

    @Test func everyAngleIsOnlyAsFarAsItsUnitVector() throws {
        var draft = Draft()
        draft.variables["SourcePosition"]?.values[0] = 360
        draft.variables["SourcePosition"]?.values[3] = -315
        let set = try draft.read()
        #expect(degrees(set.directions[0], 0, 10) < 1e-9 && degrees(set.directions[1], 45, 10) < 1e-9)
    }

    @Test(.enabled(if: data != nil, "PROSCENIUM_DATA does not name a folder of evaluation data"))
    func realFilesOfManyLaboratoriesAreRead() throws {
        let folder = try #require(Self.data)
        let expected: [String: (Int, Int)] = [
            "3dti__3DTI_HRTF_IRC1008_256s_48000Hz.sofa": (187, 256),
            "libmysofa-tests__CIPIC_subject_003_hrir_final_itdInDelayField.sofa": (1250, 200),
            "libmysofa-tests__LISTEN_1002_IRC_1002_C_HRIR.sofa": (187, 512),
            "libmysofa-tests__FHK_HRIR_L2354.sofa": (2354, 128),
            "supdeq__HRIR_CIRC360.sofa": (360, 128),
            "supdeq__sparseHRIRdataset_L38.sofa": (38, 128),
        ]
        for (name, (measurements, samples)) in expected {
            let set = try FreeFieldHRIR(contentsOf: "\(folder)/sofa/\(name)")
            #expect(set.measurementCount == measurements && set.sampleCount == samples, "\(name)")
        }
        #expect(throws: SOFAError.self) {
            try FreeFieldHRIR(contentsOf: "\(folder)/sofa/libmysofa-tests__testfile.sofa")
        }
    }
}
