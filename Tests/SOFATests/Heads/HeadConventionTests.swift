import Foundation
import Geometry
import Testing

@testable import SOFA

@Suite("Every convention that holds a head") struct HeadConventionTests {
    // MARK: Sections

    private func sections(_ row: [Double]) -> Draft {
        var draft = HeadDraft.bare("SimpleFreeFieldHRSOS", "SOS")
        draft.variables["Data.SOS"] = ((0..<12).flatMap { _ in row }, [6, 2, row.count], [])
        draft.variables["Data.Delay"] = ((0..<12).map { $0 % 2 == 0 ? Double($0) : 3 }, [6, 2], [])
        return draft
    }

    @Test("sections are run until they have died away") func runs() throws {
        // Two poles at 0.5·e^±iπ/3 with a gain of 2 from a0 = 0.5; then one pole at 0.9.
        let set = try sections([1, 0, 0, 0.5, -0.25, 0.125, 1, 0, 0, 1, -0.9, 0]).read()
        var (first, second): ([Double], [Double]) = ([], [])
        for n in 0..<set.sampleCount {
            let before = (n > 0 ? first[n - 1] : 0, n > 1 ? first[n - 2] : 0)
            first.append((n == 0 ? 2 : 0) + 0.5 * before.0 - 0.25 * before.1)
            second.append(first[n] + (n > 0 ? 0.9 * second[n - 1] : 0))
        }
        #expect(HeadDraft.difference(set, [[Double]](repeating: second, count: 12)) < -110)
        #expect(abs(second[set.sampleCount - 1]) < 1e-4 && set.sampleCount < 400)
        #expect(set.delays[2] == 2 && set.delays[3] == 3)
        #expect(set.remarks.contains { $0.contains("2 sections") })
        var old = sections([1, 0, 0, 1, 0, 0])
        old.attributes["SOFAConventions"] = "SimpleFreeFieldSOS"
        #expect(try old.read().sampleCount >= 16)
    }

    @Test(
        "sections that are no filters are refused",
        arguments: [
            ([1, 0, 0, 0, 0, 0], "a0 = 0"), ([1, 0, 0, 1, 0, 1], "unstable"), ([1, 0, 0, 1, -2.1, 1.05], "unstable"),
            ([1, 0, 0, 1, 0], "six for each"), ([1, 0, 0, 1, 0, .nan], "NaN"),
        ] as [([Double], String)])
    func noFilters(_ row: [Double], _ word: String) throws {
        let error = try sections(row).complaint()
        #expect(error?.reason.contains(word) == true, "\(String(describing: error))")
    }

    // MARK: Emitters

    @Test(
        "directions are those of emitters, whichever axis they are on",
        arguments: [
            ("FreeFieldHRIR", "FIR-E", true), ("GeneralFIR-E", "FIR-E", true), ("FreeFieldHRIR", "FIRE", true),
            ("GeneralFIRE", "FIRE", false), ("GeneralFIR-E", "FIRE", false),
        ])
    func emitters(_ convention: String, _ type: String, _ areLast: Bool) throws {
        var draft = HeadDraft.bare(convention, type)
        HeadDraft.emitters(&draft)
        let rows = HeadDraft.rows(20)
        var values: [Double] = []
        for ear in 0..<2 {
            if areLast {
                for n in 0..<20 { for e in 0..<6 { values.append(rows[2 * e + ear][n]) } }
            } else {
                for e in 0..<6 { values += rows[2 * e + ear] }
            }
        }
        draft.variables["Data.IR"] = (values, areLast ? [1, 2, 20, 6] : [1, 2, 6, 20], [])
        draft.variables["Data.Delay"] = ((0..<12).map(Double.init), [1, 2, 6], [])
        let set = try draft.read()
        #expect(set.measurementCount == 6 && HeadDraft.difference(set, rows) < -140)
        let plain = try Draft().read()
        for (a, b) in zip(set.directions, plain.directions) { #expect(a.angle(to: b) < 1e-9) }
        #expect(set.distances.allSatisfy { abs($0 - 1.5) < 1e-9 })
        #expect(set.delays[4] == 2 && set.delays[5] == 8)
    }

    @Test("emitters turn against the head that turns") func turned() throws {
        var draft = HeadDraft.bare("FreeFieldHRIR", "FIR-E")
        HeadDraft.emitters(&draft)
        draft.variables["Data.IR"] = (
            (0..<(2 * 20 * 6)).map { $0 % 7 == 0 ? 1 : 0.1 }, [1, 2, 20, 6], []
        )
        draft.variables["ListenerView"] = ([0, 1, 0], [1, 3], HeadDraft.cartesian)
        let set = try draft.read()
        #expect(set.directions[2].angle(to: Direction(azimuthDegrees: 0, elevationDegrees: 10)) < 1e-9)
    }

    @Test("spherical harmonics are evaluated: orthonormal, by ACN, without a phase") func harmonics() throws {
        var draft = HeadDraft.bare("FreeFieldHRIR", "FIR-E")
        draft.variables["SourcePosition"] = ([0, 0, 0], [1, 3], HeadDraft.cartesian)
        draft.variables["EmitterPosition"] = (
            [0, 0, 1.25], [1, 3, 1], [("Type", "spherical harmonics"), ("Units", "degree, degree, metre")]
        )
        // Sample n of the left ear is harmonic n alone, of the right ear harmonic 8 − n.
        var values = [Double](repeating: 0, count: 2 * 9 * 9)
        for n in 0..<9 { (values[n * 9 + n], values[81 + n * 9 + 8 - n]) = (1, 1) }
        draft.variables["Data.IR"] = (values, [1, 2, 9, 9], [])
        let set = try draft.read()
        #expect(RingGrid(stepDegrees: RingGrid.usualStep).has(set.directions) && set.distances[0] == 1.25)
        #expect(set.isEvaluated && set.keeping([2, 0]).isEvaluated)
        for (index, direction) in set.directions.enumerated() {
            let (x, y, z) = (direction.unit.x, direction.unit.y, direction.unit.z)
            let (a, b) = ((1 / (4 * Double.pi)).squareRoot(), (3 / (4 * Double.pi)).squareRoot())
            let c = (15 / (4 * Double.pi)).squareRoot()
            let expected = [
                a, b * y, b * z, b * x, c * x * y, c * y * z, (5 / (16 * Double.pi)).squareRoot() * (3 * z * z - 1),
                c * x * z, c / 2 * (x * x - y * y),
            ]
            for (n, value) in set.response(index, receiver: 0).enumerated() {
                #expect(abs(Double(value) - expected[n]) < 1e-6)
                #expect(set.response(index, receiver: 1).dropFirst(8 - n).first == value)
            }
        }
        #expect(set.remarks.contains { $0.contains("order 2") })
        draft.variables["Data.IR"] = ([Double](repeating: 1, count: 2 * 9 * 7), [1, 2, 9, 7], [])
        #expect(try draft.complaint()?.reason.contains("no number of them") == true)
    }

    @Test("transfer functions of emitters") func spectralEmitters() throws {
        let rows = HeadDraft.rows()
        let frequencies = (0...16).map { Double($0) * 1500 }
        let spectra = rows.map { HeadDraft.spectrum($0, at: frequencies) }
        for convention in ["FreeFieldHRTF", "GeneralTF-E"] {
            var draft = HeadDraft.spectral(rows, at: frequencies, as: convention)
            draft.attributes["DataType"] = "TF-E"
            HeadDraft.emitters(&draft)
            for (name, part) in [("Data.Real", 0), ("Data.Imag", 1)] {
                var values: [Double] = []
                for ear in 0..<2 { for k in 0..<17 { for e in 0..<6 { values.append(spectra[2 * e + ear][k][part]) } } }
                draft.variables[name] = (values, [1, 2, 17, 6], [])
            }
            #expect(HeadDraft.difference(try draft.read(), rows) < -120)
        }
    }

    // MARK: General conventions

    @Test("general conventions are a head's where their receivers are ears") func general() throws {
        var draft = Draft()
        draft.attributes["SOFAConventions"] = "GeneralFIR"
        #expect(try draft.complaint()?.reason.contains("ReceiverPosition") == true)
        draft.variables["ReceiverPosition"] = ([0, 0.09, 0, 0, -0.09, 0], [2, 3], HeadDraft.cartesian)
        #expect(try draft.read().measurementCount == 6)
        draft.variables["ReceiverPosition"] = ([0, 0.09, 0, 0.5, 0.03, 0], [2, 3, 1], HeadDraft.cartesian)
        #expect(try draft.complaint()?.reason.contains("one on the left") == true)
    }

    @Test("rooms, headphones and others are told what they are for")
    func purposes() throws {
        for (convention, type, word) in [
            ("SingleRoomSRIR", "FIR", "--room"), ("SimpleHeadphoneIR", "FIR", "headphone"),
            ("FreeFieldDirectivityTF", "TF", "directivity"), ("AnnotatedReceiverAudio", "Audio", "recording"),
        ] {
            var draft = Draft()
            draft.attributes["SOFAConventions"] = convention
            draft.attributes["DataType"] = type
            #expect(try draft.complaint()?.reason.contains(word) == true, "\(convention)")
        }
    }

    @Test("a room labelled as free field is told by its length, before it is read") func longResponses() throws {
        var draft = Draft()
        draft.variables["Data.IR"] = ([Double](repeating: 0.1, count: 12 * 4801), [6, 2, 4801], [])
        #expect(try draft.complaint()?.reason.contains("it holds a room") == true)
        let path = try draft.write()
        defer { Draft.remove(path) }
        guard case .room = try SOFAContent(path: path) else { return #expect(Bool(false)) }
    }

    @Test("sets without interaural time differences are remarked on") func noInterauralTime() throws {
        var draft = Draft()
        #expect(try draft.read().remarks.isEmpty)
        draft.variables["Data.IR"]?.values = (0..<384).map { $0 % 32 == 3 ? 1 : 0 }
        #expect(try draft.read().remarks.contains { $0.contains("no interaural time") })
        // Delays may hold the interaural time differences.
        draft.variables["Data.Delay"] = ([0, 0, 0, 9, 0, 12, 0, 0, 12, 0, 9, 0], [6, 2], [])
        #expect(try draft.read().remarks.isEmpty)
    }
}
