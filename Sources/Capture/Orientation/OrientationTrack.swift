import Foundation
import Gate
import Geometry
import IMU

/// How a device was turned over the seconds of a recording: from the axes of the recorded field to the world's, z up.
package typealias OrientationTrack = OrientationLog<Stage, World>

/// One sample of a track that grows.
package struct TakeTurn: Sendable, Equatable {
    /// Seconds of the recording's sound.
    package var time: Double
    /// From the axes of the recorded field to the world's.
    package var fieldToWorld: Quaternion

    /// A sample.
    package init(time: Double, fieldToWorld: Quaternion) { (self.time, self.fieldToWorld) = (time, fieldToWorld) }
}

extension OrientationLog where From == Stage, To == World {
    /// Bytes that such a text may have: a day at 100 Hz.
    private static let mostBytes = 1 << 30

    /// Samples, at least one, of times that rise; nil for others.
    init?(_ samples: [TakeTurn]) {
        do throws(OrientationLogError) {
            try self.init(times: samples.map(\.time), poses: samples.map { Rotation($0.fieldToWorld) })
        } catch { return nil }
    }

    /// Reads the text beside a take. A last line that lacks its end, as of a take that was cut off, is left out.
    ///
    /// - Throws: `unreadable`, `orientation`.
    package init(besideTake path: String) throws(CaptureError) {
        let name = CaptureNames.orientation(path)
        let bytes: [UInt8]
        do throws(BoundedFile.Refusal) { bytes = try BoundedFile.bytes(of: name, most: Self.mostBytes) } catch {
            throw .unreadable(
                path: name, reason: error == .system(code: ENOENT) ? "there is no such file" : error.description)
        }
        let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes[...$0] } ?? bytes[..<0]
        do throws(OrientationLogError) { try self.init(csv: whole) } catch {
            throw .orientation(path: name, reason: error)
        }
    }

    /// What the recorded field is to be turned by at a time for it to hold to something.
    ///
    /// Heading and tilt are parted as Rz(yaw)·rest, so that levelling never turns the front; where the front points
    /// straight up or down there is no heading, and the last digits decide.
    package func turn(at time: Double, _ mode: SteadyMode) -> Quaternion {
        let heading: Double
        let now = pose(at: time).quaternion
        switch mode {
        case .follow: return .identity
        case .level: heading = now.yaw
        case .hold: heading = poses[0].quaternion.yaw
        }
        return (Quaternion(yaw: -heading, pitch: 0, roll: 0) * now).normalized
    }
}
