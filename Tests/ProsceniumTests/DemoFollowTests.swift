import Foundation
import SoundFixtures
import Testing

/// `demo follow`: recorded packets become poses, on the stream's clock.
@Suite struct DemoFollowTests {
    private let file: Scratch

    init() throws { file = try Scratch() }

    private func write(_ name: String, _ rows: [String]) throws -> String {
        try (rows.joined(separator: "\n") + "\n").write(toFile: file(name), atomically: true, encoding: .utf8)
        return file(name)
    }

    /// Returns `/ypr yaw 0 0` as an OSC 1.0 message, in hexadecimal.
    private func ypr(_ yaw: Float) -> String {
        let floats = [yaw, 0, 0].map { String(format: "%08x", $0.bitPattern) }.joined()
        return "2f797072000000002c66666600000000" + floats
    }

    @Test func aHeadThatTurnsEvenlyIsFollowedToWithinAFifthOfADegree() throws {
        // The head is still for a second, then turns to the left at 60° per second.
        let packets = try write(
            "head.csv",
            (0..<300).map { step in
                let time = Double(step) / 100 - 1
                return "\(time),\(ypr(Float(max(0, time - 1) * 60)))"
            })
        let run = try Run(
            "demo", "follow", file("poses.csv"), "--head", "osc:1", "--head-packets", packets, "--seconds", "1.9",
            "--recentre-at", "0.5")
        #expect(run.status == 0 && run.complaints.isEmpty)
        let rows = try String(contentsOfFile: file("poses.csv"), encoding: .utf8).split(separator: "\n")
        #expect(rows.first == "t,w,x,y,z")
        let poses = rows.dropFirst().map { $0.split(separator: ",").compactMap { Double($0) } }
        #expect(poses.count == 714 && poses.allSatisfy { $0.count == 5 })
        for pose in poses where pose[0] > 0.6 && abs(pose[0] - 1) > 0.15 {
            let yaw = 2 * atan2(pose[4], pose[1]) * 180 / .pi
            #expect(abs(yaw - max(0, pose[0] - 1) * 60) < 0.2, "at \(pose[0]) s: \(yaw)°")
        }
    }

    @Test func whatIsNoPacketIsSaidWithItsLine() throws {
        func complaint(_ rows: [String]) throws -> String? {
            let packets = try write("head.csv", rows)
            let run = try Run(
                "demo", "follow", file("poses.csv"), "--head", "osc:1", "--head-packets", packets, "--seconds", "1")
            #expect(run.status == 1 && run.complaints.count == 1)
            return run.complaints.first.map(String.init)
        }
        #expect(try complaint(["0,00", "0.1,0g"])?.hasSuffix("line 2 is not 'seconds,bytes in hexadecimal'") == true)
        #expect(try complaint(["0,00", "0.1,000"])?.contains("line 2 is not") == true)
        #expect(try complaint(["0.2,00", "0.1,00"])?.contains("line 2: the time 0.1 comes before 0.2") == true)
        #expect(try complaint([""])?.hasSuffix("contains no packets") == true)
    }

    /// In an earlier version the program waited until each of these times, or crashed.
    @Test(arguments: [("-1e12", "1"), ("1e300", "1"), ("0", "nan"), ("0", "1e300"), ("0", "-1e300")])
    func aTimeOutsideOfTheRideIsSaid(_ arrival: String, _ recentring: String) throws {
        let packets = try write("head.csv", ["\(arrival),00"])
        let run = try Run(
            "demo", "follow", file("poses.csv"), "--head", "osc:1", "--head-packets", packets, "--seconds", "1",
            "--recentre-at=\(recentring)")
        #expect(run.status == 1 && run.complaints.count == 1)
        #expect(run.complaints.first?.contains("is not between -3600 and 3600 s") == true, "\(run.complaints)")
    }

    @Test func recentringBeforeAnythingWasHeardIsSaid() throws {
        let packets = try write("head.csv", ["0.5,\(ypr(0))"])
        let run = try Run(
            "demo", "follow", file("poses.csv"), "--head", "osc:1", "--head-packets", packets, "--seconds", "1",
            "--recentre-at", "0.1")
        #expect(run.status == 1)
        #expect(run.complaints == ["proscenium: no packet of the head tracker could be decoded before 0.1 s"])
    }
}
