import Testing

@testable import SOFA

@Suite("Headphones in SOFA files") struct HeadphoneResponsesTests {
    /// Returns five refits of 16 samples; the click of each ear and refit has a height of its own.
    private func draft() -> Draft {
        var draft = HeadDraft.bare("SimpleHeadphoneIR", "FIR")
        draft.attributes["SourceManufacturer"] = "Maker"
        draft.attributes["SourceModel"] = "One"
        draft.variables["SourcePosition"] = ([0, 0, 0], [1, 3], HeadDraft.cartesian)
        draft.variables["EmitterPosition"] = ([0, 0.09, 0, 0, -0.09, 0], [2, 3, 1], HeadDraft.cartesian)
        let values = (0..<160).map { index -> Double in index % 16 == 4 ? Double(1 + index / 16) : 0 }
        draft.variables["Data.IR"] = (values, [5, 2, 16], [])
        return draft
    }

    private func read(_ draft: Draft) throws -> HeadphoneResponses {
        let path = try draft.write()
        defer { Draft.remove(path) }
        return try HeadphoneResponses(contentsOf: path)
    }

    @Test("refits, ears, rate and name are as stored") func stored() throws {
        let set = try read(draft())
        #expect(set.refitCount == 5 && set.sampleCount == 16 && set.sampleRate == 48_000 && set.name == "Maker One")
        for refit in 0..<5 {
            for ear in 0..<2 {
                #expect(set.response(refit, ear: ear).dropFirst(4).first == Float(1 + 2 * refit + ear))
            }
        }
        #expect(set.delays == [Double](repeating: 0, count: 10) && set.remarks.isEmpty)
    }

    @Test("silent refits are left out and said, others' faults are told") func faults() throws {
        var silent = draft()
        for i in 32..<48 { silent.variables["Data.IR"]?.values[i] = 0 }
        let set = try read(silent)
        #expect(set.refitCount == 4 && set.response(1, ear: 0).dropFirst(4).first == 5)
        #expect(set.remarks.contains { $0.contains("1 of 5 refits") })
        var mono = draft()
        mono.variables["Data.IR"]?.shape = [10, 1, 16]
        #expect(throws: SOFAError.self) { try read(mono) }
        #expect(throws: SOFAError.self) { try read(Draft()) }
        var long = draft()
        long.variables["Data.SamplingRate"]?.values = [8000]
        long.variables["Data.IR"] = ([Double](repeating: 1, count: 2 * 16_001), [1, 2, 16_001], [])
        let error = #expect(throws: SOFAError.self) { try read(long) }
        #expect(error?.reason.contains("rings") == true)
    }

    @Test("they are what a file of their convention holds") func content() throws {
        let path = try draft().write()
        defer { Draft.remove(path) }
        guard case .headphones(let set) = try SOFAContent(path: path) else { return #expect(Bool(false)) }
        #expect(set.refitCount == 5)
    }
}
