import AbsentPlaces
import Foundation
import SoundFixtures
import Testing

private let motion = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Examples/motion").path

@Suite struct TrackCommandTests {
    @Test func posesAndHealthComeAsOneObjectPerLine() throws {
        let run = try Run(
            "track", "--head", "file:\(motion)/bus-head.csv", "--device", "file:\(motion)/bus-device.csv", "--format",
            "ndjson", "--rate", "20", "--seconds", "1")
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n")
        #expect((10...20).contains(lines.count))
        let last = try #require(try JSONSerialization.jsonObject(with: Data((lines.last ?? "").utf8)) as? [String: Any])
        #expect(last["mode"] as? String == "relative")
        #expect(abs(last["yaw"] as? Double ?? 90) < 1)
        let head = try #require(last["head"] as? [String: Any])
        #expect(head["received"] as? Int ?? 0 > 20)
        #expect(head["fresh"] as? Bool == true)
    }

    @Test func everyFaultIsOneLineAndTheRightExitCode() throws {
        let unknown = try Run("track", "--head", "mind:1")
        #expect(unknown.status == 2)
        #expect(unknown.complaints.count == 1 && unknown.complaints[0].contains("known are osc:"))

        let port = try Run("track", "--head", "osc:99999")
        #expect(port.status == 2 && port.complaints.count == 1)

        let nowhere = AbsentPlace.path("log.csv")
        let missing = try Run("track", "--head", "file:\(nowhere)")
        #expect(missing.status == 1)
        #expect(missing.complaints == ["proscenium: cannot read \(nowhere): there is no such file"])

        let scratch = try Scratch()
        let path = scratch("log.csv")
        try "t,w,x,y,z\n0,1,0,0,0\n2,1,0,0,0\n1,1,0,0,0\n".write(toFile: path, atomically: true, encoding: .utf8)
        let order = try Run("track", "--head", "file:\(path)")
        #expect(order.status == 1)
        #expect(order.complaints.count == 1)
        #expect(order.complaints.first?.contains("line 4: the time 1.0 does not come after 2.0") == true)
    }
}
