import Testing

@testable import Measurement

@Suite("Names of takes")
struct TakeFileNameTests {
    @Test(
        "loudspeakers and the yaw are read",
        arguments: [
            ("FC", ["FC"], 0.0), ("FL,FR", ["FL", "FR"], 0), ("fl,fr_30", ["FL", "FR"], 30),
            ("SL,X-15.5", ["SL", nil], -15.5),
            ("TFL_-30", ["TFL"], -30),
        ])
    func read(_ name: String, _ loudspeakers: [String?], _ yaw: Double) throws {
        let found = try #require(TakeFileName(name))
        #expect(found.loudspeakers == loudspeakers && found.yaw == yaw)
    }

    @Test(
        "other names are refused",
        arguments: ["", "30", "FL,", ",FL", "FL,FR_x", "FL_1e9", "FL_400", "FL_30_2", "FL--3"])
    func refused(_ name: String) { #expect(TakeFileName(name) == nil) }

    @Test(
        "a layout's own names are read first: the longest, and in their case",
        arguments: [
            ("h1", ["h1", "h2"], ["h1"], 0.0), ("H1", ["h1", "h2"], ["h1"], 0),
            ("h2,h1_-30", ["h1", "h2"], ["h2", "h1"], -30), ("Ls_30", ["Ls"], ["Ls"], 30),
            ("fl,x,FR-15.5", ["FL", "FR"], ["FL", nil, "FR"], -15.5),
            ("h10,h1", ["h1", "h10"], ["h10", "h1"], 0), ("LS,ls", ["ls", "LS"], ["LS", "ls"], 0),
            ("FLC30", ["FL", "FLC"], ["FLC"], 30), ("B045L-2", ["B045L", "B045L-2"], ["B045L-2"], 0),
            ("B045L-20", ["B045L", "B045L-2"], ["B045L"], -20), ("1,2_30", ["1", "2"], ["1", "2"], 30),
            ("X", ["x"], ["x"], 0),
        ])
    func own(_ name: String, _ known: [String], _ loudspeakers: [String?], _ yaw: Double) throws {
        let found = try #require(TakeFileName(name, of: known))
        #expect(found.loudspeakers == loudspeakers && found.yaw == yaw, "\(found)")
    }

    @Test(
        "names of other loudspeakers, or of another form, are no names of a layout",
        arguments: ["", ",", "h3", "h15", "h1,", "h1_x", "h1h2", "hh1", "h1_400", "h1,FC", "30"])
    func notOwn(_ name: String) { #expect(TakeFileName(name, of: ["h1", "h2"]) == nil) }
}
