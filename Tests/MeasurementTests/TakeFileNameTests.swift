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
}
