import Geometry
import Testing

@testable import IMU

@Suite struct SenderChoiceTests {
    private static func at(_ port: UInt16, host: UInt8 = 1) -> DatagramSender {
        DatagramSender(address: [192, 168, 1, host], port: port)
    }

    /// Returns the numbers of the rows that were used, and the health.
    private func heard(_ rows: [(sender: DatagramSender, row: String, time: Double)]) throws -> (
        yaws: [Int], health: TrackerHealth
    ) {
        var receiver = TrackerReceiver(try #require(TrackerFormat.named("lines")).makeDecoder(.messages))
        var yaws: [Int] = []
        for row in rows {
            for sample in receiver.take(Array(row.row.utf8), arrival: row.time, sender: row.sender).samples {
                guard case .inertial(let inertial) = sample.motion else { continue }
                yaws.append(Int((inertial.rate.z * 100).rounded()))
            }
        }
        return (yaws, receiver.health)
    }

    private func row(_ number: Int, checksum: Bool = false) -> String {
        let text = "imu,,,0,0,\(Double(number) / 100),0,0,9.81"
        let sum = String(text.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return checksum ? "\(text)*\(sum.count == 1 ? "0" : "")\(sum)" : text
    }

    @Test func aSecondSenderIsIgnoredAndNamed() throws {
        var rows: [(sender: DatagramSender, row: String, time: Double)] = []
        for index in 0..<300 {
            rows.append((Self.at(4000), row(1), Double(index) / 100))
            rows.append((Self.at(5000, host: 2), row(2), Double(index) / 100 + 0.004))
        }
        let (yaws, health) = try heard(rows)
        // The other sender's first row is used, because it arrived before the second row of the first sender.
        #expect(yaws.count == 301 && yaws.count { $0 == 2 } == 1)
        #expect(health.ignored == 299 && health.faultCounts["otherSender"] == 299)
        #expect(health.complaints.map(\.name) == ["secondSender"])
        let words = health.complaints.first?.words ?? ""
        #expect(words.contains("192.168.1.2:5000") && words.contains("192.168.1.1:4000") && words.contains("299"))
    }

    @Test func aSenderThatFallsSilentIsFollowedByTheOther() throws {
        var rows: [(sender: DatagramSender, row: String, time: Double)] = []
        for index in 0..<500 {
            if index < 200 { rows.append((Self.at(4000), row(1), Double(index) / 100)) }
            if index >= 150 { rows.append((Self.at(4001), row(2), Double(index) / 100 + 0.004)) }
        }
        let (yaws, health) = try heard(rows)
        #expect(yaws.count { $0 == 1 } == 200)
        // The second sender is heard from one second after the last row of the first sender on.
        #expect(yaws.count { $0 == 2 } == 201)
        // The second sender is complained of until it is the one that is heard.
        let earlier = try heard(rows.filter { $0.time < 2.5 }).health
        #expect(earlier.sender == Self.at(4000) && earlier.complaints.map(\.name) == ["secondSender"])
        #expect(health.sender == Self.at(4001) && health.complaints.isEmpty)
    }

    @Test func whoIsNotUnderstoodHoldsNoPort() throws {
        var rows: [(sender: DatagramSender, row: String, time: Double)] = []
        for index in 0..<400 {
            rows.append((Self.at(4000), "nonsense", Double(index) / 100))
            rows.append((Self.at(5000), row(2), Double(index) / 100 + 0.004))
        }
        let yaws = try heard(rows).yaws
        #expect(yaws.count > 290 && yaws.allSatisfy { $0 == 2 })
    }

    /// A program that opens a socket for each message, from the first on.
    @Test func newPortsWithEveryMessageAreOneSender() throws {
        let rows = (0..<500).map { (Self.at(UInt16(30_000 + 7 * $0)), row(1), Double($0) / 100) }
        let (yaws, health) = try heard(rows)
        #expect(yaws.count == 500 && health.ignored == 0 && health.complaints.isEmpty)
    }

    @Test func aFloodOfSendersIsNotRemembered() {
        var choice = SenderChoice()
        for index in 0..<1000 {
            let address: [UInt8] = [10, 0, UInt8(index >> 8), UInt8(index & 255)]
            _ = choice.admit(DatagramSender(address: address, port: 4000), at: Double(index) / 1e4)
            choice.heard(at: Double(index) / 1e4)
        }
        #expect(choice.recent.count == SenderChoice.remembered)
    }

    @Test func theRuleOfChecksumsEndsWithItsSender() throws {
        var rows: [(sender: DatagramSender, row: String, time: Double)] = []
        for index in 0..<100 { rows.append((Self.at(4000), row(1, checksum: true), Double(index) / 100)) }
        rows.append((Self.at(4000), row(9), 1.0))
        for index in 0..<100 { rows.append((Self.at(4100), row(2), 2.2 + Double(index) / 100)) }
        let (yaws, health) = try heard(rows)
        #expect(yaws.count { $0 == 1 } == 100 && yaws.count { $0 == 2 } == 100 && !yaws.contains(9))
        #expect(health.dropped == [.checksum: 1])
    }

    @Test func sendersAreWrittenAsPeopleWriteThem() {
        #expect(Self.at(50_123, host: 7).description == "192.168.1.7:50123")
        var address = [UInt8](repeating: 0, count: 16)
        (address[0], address[1], address[15]) = (0xfe, 0x80, 1)
        #expect(DatagramSender(address: address, port: 9).description == "[fe80::1]:9")
    }
}
