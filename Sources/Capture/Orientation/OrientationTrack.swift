import Foundation
import Gate
import Geometry
import IMU
import Soundstage

/// Orientation of a device during a recording: rotations from the axes of the recorded field to those of the world, z
/// up.
package typealias OrientationTrack = OrientationLog<Stage, World>

/// One sample of a growing orientation track.
package struct TakeTurn: Sendable, Equatable {
    /// Time in the recording's sound, seconds.
    package var time: Double
    /// Rotation from the axes of the recorded field to those of the world.
    package var fieldToWorld: Quaternion

    /// Creates a sample.
    package init(time: Double, fieldToWorld: Quaternion) { (self.time, self.fieldToWorld) = (time, fieldToWorld) }
}

extension OrientationLog where From == Stage, To == World {
    /// Greatest size of an orientation file, bytes; enough for a day at 100 Hz.
    private static let mostBytes = 1 << 30

    /// Creates a track from samples; nil if there is no sample, or if the times do not ascend.
    init?(_ samples: [TakeTurn]) {
        do throws(OrientationLogError) {
            try self.init(times: samples.map(\.time), poses: samples.map { Rotation($0.fieldToWorld) })
        } catch { return nil }
    }

    /// Reads the orientation file of a take. A last line without a line end, as in an interrupted take, is ignored.
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

    /// Returns the rotation that keeps the recorded field steady in a mode, at a time in seconds.
    ///
    /// The orientation is split into Rz(yaw)·rest, where Rz is a rotation about the vertical axis, so that levelling
    /// never rotates the front. If the front points straight up or down, it has no heading; rounding errors then
    /// determine the yaw.
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
