import Foundation
import Geometry
import IMU
import SeededRandom

@testable import HeadTracking

/// Rows of a head that looks about, with times that scatter; some rows are lost.
struct ScatteredRows {
    var rate = 100.0
    /// Greatest error of a time, ± seconds.
    var scatter: Double
    var loss: Double
    var seed: UInt64

    /// RMS angle between the orientations fused with these times and with the exact ones, degrees, after the first 3 s.
    func cost() throws -> (degrees: Double, remarks: [String]) {
        var dice = SplitMix(state: seed &* 4243)
        let parts = (0..<4).map { _ in
            (size: 0.2 + 0.25 * dice.unit(), omega: 2 * .pi * (0.08 + 0.9 * dice.unit()), phase: 6.28 * dice.unit())
        }
        func pose(_ time: Double) -> Quaternion {
            let ramp = min(1, max(0, time - 4))
            func angle(_ part: Int) -> Double { parts[part].size * sin(parts[part].omega * time + parts[part].phase) }
            return Quaternion(
                yaw: ramp * (angle(0) + angle(1)), pitch: 0.3 * ramp * angle(2), roll: 0.3 * ramp * angle(3))
        }
        var (exact, scattered) = ("", "")
        var last = -1 / rate
        for index in 0..<Int(60 * rate) {
            let time = Double(index) / rate
            let now = pose(time)
            let turn = (pose(last).conjugate * now).rotationVector / (time - last)
            let force = now.conjugate.rotate(SIMD3(0, 0, 9.81))
            last = time
            let written = time + scatter * (2 * dice.unit() - 1)
            guard dice.unit() >= loss else { continue }
            var values = ""
            for value in [turn.x, turn.y, turn.z, force.x, force.y, force.z] {
                values += ",\(value + 0.002 * (dice.unit() - 0.5))"
            }
            exact += "\(time)\(values)\n"
            scattered += "\(written)\(values)\n"
        }
        let (right, found) = (try Self.fused(exact), try Self.fused(scattered))
        let late = Array(zip(right.poses, found.poses)).dropFirst(Int(3 * rate))
        let squares = late.reduce(0) { sum, pair in
            let angle = pair.0.angle(to: pair.1) * 180 / .pi
            return sum + angle * angle
        }
        return ((squares / Double(late.count)).squareRoot(), found.remarks)
    }

    private static func fused(_ text: String) throws -> (poses: [Quaternion], remarks: [String]) {
        var (table, output) = (InertialTable(options: InertialOptions()), [UInt8]())
        try table.take(Array(text.utf8)[...], into: &output)
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        let poses = lines.map { line -> Quaternion in
            let parts = line.split(separator: ",").dropFirst().compactMap { Double($0) }
            return Quaternion(w: parts[0], x: parts[1], y: parts[2], z: parts[3])
        }
        return (poses, table.remarks)
    }
}
