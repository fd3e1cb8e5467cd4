import CHDF5
import Foundation
import Testing

@testable import SOFA

@Suite("What a file is, without its responses") struct SummaryTests {
    private func summary(_ draft: Draft) throws -> SOFASummary {
        let path = try draft.write()
        defer { Draft.remove(path) }
        return try SOFASummary(contentsOf: path)
    }

    @Test("sizes, rate, directions, distances and delays") func properties() throws {
        let found = try summary(Draft())
        #expect(found.shape.value == [6, 2, 32] && found.sampleRate.value == 48_000 && found.dataType == "FIR")
        #expect(found.directions.value?.count == 6 && abs((found.distances.value?.first ?? 0) - 1.5) < 1e-9)
        #expect(found.delays.value == 0...0 && found.remarks.isEmpty && found.convention.purpose == .head)
    }

    @Test("one that makes no sense hides no other") func faults() throws {
        var draft = Draft()
        draft.variables["Data.SamplingRate"] = nil
        draft.variables["SourcePosition"] = nil
        let found = try summary(draft)
        #expect(found.shape.value == [6, 2, 32])
        #expect(found.sampleRate.error?.reason.contains("Data.SamplingRate") == true)
        #expect(found.directions.error?.reason.contains("SourcePosition") == true)
    }

    @Test("responses are never read: they may not even be there") func unread() throws {
        var draft = Draft()
        draft.variables["Data.IR"] = nil
        draft.finish = { file in
            let space = H5Screate_simple(3, [6, 2, 1 << 20], nil)
            let plan = H5Pcreate(chdf5_dataset_create())
            H5Pset_chunk(plan, 3, [1, 2, 1024])
            H5Dclose(H5Dcreate2(file, "Data.IR", chdf5_native_double(), space, 0, plan, 0))
            H5Pclose(plan)
            H5Sclose(space)
        }
        #expect(try summary(draft).shape.value == [6, 2, 1 << 20])
    }

    @Test("spherical harmonics have an order and a radius") func harmonics() throws {
        var draft = HeadDraft.bare("FreeFieldHRIR", "FIR-E")
        draft.variables["Data.IR"] = ([Double](repeating: 1, count: 2 * 8 * 25), [1, 2, 8, 25], [])
        draft.variables["EmitterPosition"] = ([0, 0, 2], [1, 3], [("Type", "spherical harmonics")])
        let found = try summary(draft)
        #expect(found.harmonicOrder == 4 && found.distances.value == [2] && found.directions.value == nil)
    }

    @Test("other conventions have texts and sizes") func others() throws {
        var draft = HeadDraft.spectral(
            HeadDraft.rows(), at: (0...16).map { Double($0) * 1500 }, as: "FreeFieldDirectivityTF")
        draft.attributes["Title"] = "a trumpet"
        let found = try summary(draft)
        #expect(found.attributes["Title"] == "a trumpet" && found.shape.value == [6, 2, 17])
        guard case .other = found.convention.purpose else { return #expect(Bool(false)) }
    }
}
