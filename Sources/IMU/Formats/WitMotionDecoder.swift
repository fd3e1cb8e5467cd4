import Geometry

/// WitMotion's serial trackers. A frame has eleven bytes: `55`, a code, four 16-bit numbers, and the sum of the ten
/// bytes before it (WT901 protocol). The frames of time, acceleration, angular rate, angles and quaternion are used.
struct WitMotionDecoder: TrackerDecoder {
    private var search = FrameSearch()
    private var choice: MotionChoice
    private var stamp: SenderStamp?
    private var force = LatestVector()
    private var rate = LatestVector()
    /// Number of frames since the last quaternion; angles are used only after more than 16 such frames.
    private var sinceQuaternion = Int.max / 2

    /// Unlocks the settings and requests acceleration, angular rate and quaternion. Output rate and baud rate stay
    /// unchanged. The settings are not saved, so switching the tracker off restores the old ones.
    let opening: [[UInt8]] = [[0xff, 0xaa, 0x69, 0x88, 0xb5], [0xff, 0xaa, 0x02, 0x06, 0x02]]

    init(preferring kind: MotionChoice.Kind) { choice = MotionChoice(preferring: kind) }

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        search.append(bytes)
        while let frame = search.next(&output.faults, Self.find) { take(frame, into: &output) }
    }

    private static func find(_ bytes: ArraySlice<UInt8>) -> FrameSearch.Finding {
        guard bytes[bytes.startIndex] == 0x55 else { return .nothing }
        guard bytes.count > 1 else { return .incomplete }
        guard (0x50...0x5f).contains(bytes[bytes.startIndex + 1]) else { return .nothing }
        guard bytes.count >= 11 else { return .incomplete }
        let sum = bytes.prefix(10).reduce(0, &+)
        return sum == bytes[bytes.startIndex + 10] ? .frame(11) : .damaged(.checksum)
    }

    private mutating func take(_ frame: ArraySlice<UInt8>, into output: inout DecoderOutput) {
        // Axes: x right, y front, z up if the tracker lies so that its label can be read.
        let axes = OrientationProfile.Axes.rightFrontUp
        let numbers = SIMD4(
            Double(frame.little(2, Int16.self)), Double(frame.little(4, Int16.self)),
            Double(frame.little(6, Int16.self)), Double(frame.little(8, Int16.self)))
        let vector = SIMD3(numbers.x, numbers.y, numbers.z)
        sinceQuaternion = min(sinceQuaternion, 1 << 20) + 1
        switch frame.little(1, UInt8.self) {
        case 0x50: stamp = Self.time(frame)
        case 0x51: force.set(axes.ours(vector * (16 * standardGravity / 32_768)))
        case 0x52:
            let rate = axes.ours(vector * (2000 * .pi / 180 / 32_768))
            self.rate.set(rate)
            guard let force = force.use() else { return }
            output.inertial(rate: rate, force: force, stamp: stamp, by: &choice)
        case 0x53 where sinceQuaternion > 16:
            // Roll about the tracker's x axis, pitch about y, yaw about z, applied in the order z, y, x.
            let angles = vector * (.pi / 32_768)
            let sent =
                Quaternion(rotationVector: SIMD3(0, 0, angles.z)) * Quaternion(rotationVector: SIMD3(0, angles.y, 0))
                * Quaternion(rotationVector: SIMD3(angles.x, 0, 0))
            fused(axes.ours(sent), into: &output)
        case 0x59:
            sinceQuaternion = 0
            let q = numbers / 32_768
            fused(axes.ours(Quaternion(w: q.x, x: q.y, y: q.z, z: q.w)), into: &output)
        default: break
        }
    }

    private mutating func fused(_ quaternion: Quaternion, into output: inout DecoderOutput) {
        output.orientation(quaternion, rate: rate.use(), stamp: stamp, by: &choice)
    }

    /// Returns the tracker's calendar time (year, month, day, hour, minute, second, millisecond) as seconds since 2000.
    /// Days follow the Gregorian calendar from 2000 to 2255, in which every fourth year except 2100 and 2200 is a leap
    /// year. A module whose clock was never set begins with month and day 0, which count as 1. Nil if a number is out
    /// of range.
    private static func time(_ frame: ArraySlice<UInt8>) -> SenderStamp? {
        var v = (2...7).map { Int(frame.little($0, UInt8.self)) }
        v[1] = max(1, v[1])
        v[2] = max(1, v[2])
        let milliseconds = Int(frame.little(8, UInt16.self))
        guard (1...12).contains(v[1]), (1...31).contains(v[2]), v[3] < 24, v[4] < 60, v[5] < 60, milliseconds < 1000
        else { return nil }
        let isLeap = v[0] % 4 == 0 && v[0] != 100 && v[0] != 200
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let leaps = (v[0] + 3) / 4 - (v[0] > 100 ? 1 : 0) - (v[0] > 200 ? 1 : 0)
        let days = v[0] * 365 + leaps + lengths[..<(v[1] - 1)].reduce(0, +) + v[2] - 1
        let seconds = ((days * 24 + v[3]) * 60 + v[4]) * 60 + v[5]
        return SenderStamp(seconds: Double(seconds) + Double(milliseconds) / 1000)
    }
}
