import CHDF5
import Foundation
import Testing

@testable import SOFA

@Suite("What a file is, without its responses") struct SummaryTests {
    private func summary(_ draft: Draft) async throws -> SOFASummary {
        let path = try draft.write()
        defer { Draft.remove(path) }
        return try await SOFASummary(SOFAInspection(path))
    }

    @Test("sizes, rate, directions, distances and delays") func properties() async throws {
        let found = try await summary(Draft())
        #expect(found.shape.value == [6, 2, 32] && found.sampleRate.value == 48_000 && found.dataType == "FIR")
        #expect(
            found.places.value?.directions.count == 6 && abs((found.places.value?.distances.first ?? 0) - 1.5) < 1e-9)
        #expect(found.delays.value == 0...0 && found.remarks.isEmpty && found.convention.purpose == .head)
    }

    @Test("one that makes no sense hides no other") func faults() async throws {
        var draft = Draft()
        draft.variables["Data.SamplingRate"] = nil
        draft.variables["SourcePosition"] = nil
        let found = try await summary(draft)
        #expect(found.shape.value == [6, 2, 32])
        #expect(found.sampleRate.error?.reason.contains("Data.SamplingRate") == true)
        #expect(found.places.error?.reason.contains("SourcePosition") == true)
    }

    @Test("responses are never read: they may not even be there") func unread() async throws {
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
        let found = try await summary(draft)
        #expect(found.shape.value == [6, 2, 1 << 20])
    }

    @Test("data without values have no sizes, whatever number of measurements they state") func empty() async throws {
        var draft = Draft()
        draft.variables["Data.IR"] = ([], [1 << 62, 0, 32], [])
        let found = try await summary(draft)
        #expect(found.shape.error?.reason.contains("measurements × receivers") == true)
        #expect(found.places.error != nil)
    }

    @Test("emitters of another number than in the data have no places") func emitters() async throws {
        var draft = HeadDraft.bare("FreeFieldHRIR", "FIR-E")
        draft.variables["Data.IR"] = ([Double](repeating: 1, count: 2 * 8 * 4), [1, 2, 8, 4], [])
        HeadDraft.emitters(&draft)
        #expect(try await summary(draft).places.error?.reason.contains("6 emitters") == true)
    }

    @Test("spherical harmonics have an order and a radius") func harmonics() async throws {
        var draft = HeadDraft.bare("FreeFieldHRIR", "FIR-E")
        draft.variables["Data.IR"] = ([Double](repeating: 1, count: 2 * 8 * 25), [1, 2, 8, 25], [])
        draft.variables["EmitterPosition"] = ([0, 0, 2], [1, 3], [("Type", "spherical harmonics")])
        let found = try await summary(draft)
        #expect(found.places.value?.harmonicOrder == 4 && found.places.value?.distances == [2])
    }

    @Test("other conventions have texts and sizes") func others() async throws {
        var draft = HeadDraft.spectral(
            HeadDraft.rows(), at: (0...16).map { Double($0) * 1500 }, as: "FreeFieldDirectivityTF")
        draft.attributes["Title"] = "a trumpet"
        let found = try await summary(draft)
        #expect(found.attributes["Title"] == "a trumpet" && found.shape.value == [6, 2, 17])
        guard case .other = found.convention.purpose else { return #expect(Bool(false)) }
    }
}
