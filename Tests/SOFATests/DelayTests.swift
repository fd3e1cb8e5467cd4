import Testing

@testable import SOFA

@Suite("Delays, by shape") struct DelayTests {
    private func delays(_ values: [Double], _ shape: [Int]) throws -> [Double] {
        var draft = Draft()
        draft.variables["Data.Delay"] = (values, shape, [])
        return try draft.read().delays
    }

    @Test("one row, a row each, one number each, and ones at the end") func shapes() throws {
        let row: [Double] = [3, 4, 3, 4, 3, 4, 3, 4, 3, 4, 3, 4]
        #expect(try delays([3, 4], [1, 2]) == row)
        #expect(try delays([3, 4], [2]) == row)
        #expect(try delays([3, 4], [1, 2, 1]) == row)
        #expect(try delays(row, [6, 2]) == row)
        #expect(try delays([1, 2, 3, 4, 5, 6], [6, 1]) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6])
        #expect(try delays([7], [1]) == [Double](repeating: 7, count: 12))
    }

    @Test("one that is too long is told with its measurement, unless it is that of all") func long() throws {
        var draft = Draft()
        draft.variables["Data.Delay"] = ([0, 1e9], [1, 2], [])
        #expect(try draft.complaint()?.reason.contains("measurement") == false)
        draft.variables["Data.Delay"] = ([Double](repeating: 0, count: 7) + [1e9, 0, 0, 0, 0], [6, 2], [])
        #expect(try draft.complaint()?.reason.contains("in measurement 3;") == true)
    }

    @Test(
        "any other is refused, with what it should be",
        arguments: [[2, 6], [2, 1], [3, 4], [12], [4, 3], [6, 1, 2], [1, 12], [2, 2]])
    func others(_ shape: [Int]) throws {
        var draft = Draft()
        draft.variables["Data.Delay"] = ([Double](repeating: 1, count: shape.reduce(1, *)), shape, [])
        let error = try draft.complaint()
        #expect(error?.reason.contains("expected 1×2 or 6×2") == true, "\(String(describing: error))")
        if shape == [2, 6] { #expect(error?.reason.contains("transpose") == true) }
    }
}
