import Foundation
import Geometry
import HeadTracking
import IMU
import Testing

/// One unusable row has no lasting effect: the stream continues as if that one sample had been lost.
@Suite struct RefusedRowTests {
    /// Row that is sent in place of the refused one.
    enum Replacement: CaseIterable, Sendable {
        case infiniteRaw
        case infiniteRawJSON
        case implausibleRaw
        case noUnit
        case lost
    }

    /// Returns the yaw of a head that turns to and fro, degrees; one row is refused at 6.25 s, where the head turns by
    /// 127°/s.
    private func yaw(raw: Bool, stamps: Bool, counts: Bool, _ replacement: Replacement?) -> [Double] {
        guard let format = TrackerFormat.named("lines") else { return [] }
        var receiver = TrackerReceiver(format.makeDecoder(.messages))
        var tracker = HeadTracker()
        var result: [Double] = []
        for index in 0..<2000 {
            let time = Double(index) / 100
            let (amplitude, omega) = (1.0, 2 * Double.pi * 0.5)
            let angle = time < 2 ? 0 : amplitude * sin(omega * time)
            // The mean rate over the interval, as an averaging gyroscope measures it.
            let before = time - 0.01 < 2 ? 0 : amplitude * sin(omega * (time - 0.01))
            let head = "\(counts ? "\(index)" : ""),\(stamps ? "\(index * 10_000_000)" : "")"
            var row =
                raw
                ? "imu,\(head),0,0,\((angle - before) * 100),0,0,9.81"
                : "quat,\(head),\(cos(angle / 2)),0,0,\(sin(angle / 2))"
            if index == 625, let replacement {
                switch replacement {
                case .infiniteRaw: row = "imu,\(head),0,0,1e400,0,0,9.81"
                case .infiniteRawJSON:
                    row = "{\(counts ? "\"seq\":\(index)," : "")\"gyro\":[0,0,1e400],\"acc\":[0,0,9.81]}"
                case .implausibleRaw: row = "imu,\(head),0,0,5000,0,0,9.81"
                case .noUnit: row = "quat,\(head),5,0,0,0"
                case .lost: continue
                }
            }
            for sample in receiver.take(Array(row.utf8), arrival: 100 + time + 0.003).samples { tracker.head(sample) }
            result.append(tracker.forecast(at: 100 + time + 0.003).headToStage(at: 100 + time + 0.003).yaw)
        }
        return result.map { $0 * 180 / .pi }
    }

    @Test(arguments: Replacement.allCases, [true, false])
    func aRefusedRowCostsNoMoreThanALostOne(replacement: Replacement, raw: Bool) {
        for (stamps, counts) in [(true, true), (true, false), (false, true), (false, false)] {
            let plain = yaw(raw: raw, stamps: stamps, counts: counts, nil)
            let found = yaw(raw: raw, stamps: stamps, counts: counts, replacement)
            // For a raw IMU a neighbour's rate replaces the lost sample's, which costs 0.04° here. Without stamps and
            // counts the rate of the eighth sample after it replaces it.
            let off = zip(plain.suffix(500), found.suffix(500)).map { abs($0 - $1) }.max() ?? .infinity
            #expect(off < (replacement == .lost ? 0.6 : 0.2), "stamps \(stamps), counts \(counts): \(off)°")
        }
    }
}
