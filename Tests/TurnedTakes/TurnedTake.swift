import AudioIO
import Capture
import Foundation
import Geometry
import Signal

/// Synthetic take of a device that turns or stands, and the angular error of sound computed from it.
package enum TurnedTake {
    private static let rate = 48_000.0
    /// Direction of the source in the world, whose front is the initial front of the device.
    private static let source = Direction<World>(azimuthDegrees: 40, elevationDegrees: 10)
    /// Heading of the device at the start, radians.
    private static let heading = 0.3

    private static func turn(_ time: Double) -> Quaternion {
        let share = 0.5 - 0.5 * cos(.pi * max(0, min(1, time - 0.5)))
        return Quaternion(yaw: heading + share * .pi / 2, pitch: 0, roll: 0.2 * share)
    }

    /// Writes two seconds of a source of 1 and 3.7 kHz as a device picks it up that turns by 90° or stands.
    package static func write(_ path: String, turns: Bool) throws {
        let frames = Int(2 * rate)
        let block = PlanarBlock(channels: 4, frames: frames)
        for i in 0..<frames {
            let time = Double(i) / rate
            let world = Quaternion(yaw: heading, pitch: 0, roll: 0).rotate(source.unit)
            let seen = (turns ? turn(time) : Quaternion(yaw: heading, pitch: 0, roll: 0)).conjugate.rotate(
                world)
            let sound = 0.3 * sin(2 * .pi * 1000 * time) + 0.1 * sin(2 * .pi * 3700 * time)
            for (channel, gain) in [1, seen.y, seen.z, seen.x].enumerated() { block[channel][i] = Float(sound * gain) }
        }
        let writer = try SoundFileWriter(path: path, channels: 4, sampleRate: .studio, fieldOrder: 1)
        try writer.write(block, frames: frames)
        try writer.finish()
        guard turns else { return }
        let rows = (0...200).map { step -> String in
            let q = turn(Double(step) / 100)
            return "\(Double(step) / 100),\(q.w),\(q.x),\(q.y),\(q.z)\n"
        }
        try Data(("t,w,x,y,z\n" + rows.joined()).utf8).write(
            to: URL(fileURLWithPath: CaptureNames.orientation(path)))
    }

    /// Returns the angle between the source and the sound's intensity over 50 ms from `frame`, degrees.
    package static func degrees(_ field: [[Float]], at frame: Int) -> Double {
        var sum = SIMD3<Double>()
        for i in frame..<(frame + 2400) {
            sum += Double(field[0][i]) * SIMD3(Double(field[3][i]), Double(field[1][i]), Double(field[2][i]))
        }
        let cosine = (sum * source.unit).sum() / (sum * sum).sum().squareRoot()
        return acos(max(-1, min(1, cosine))) * 180 / .pi
    }
}
