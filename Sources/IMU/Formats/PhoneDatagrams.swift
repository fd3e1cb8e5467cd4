import Gate
import Geometry

/// HyperIMU (Android): a row of decimal numbers per datagram, with the sensors in the order in which the user selected
/// them. The accelerometer (m/s²) must come first and the gyroscope (rad/s) second. The magnetometer (µT) may follow,
/// and other sensors after it. With "include timestamp", a time in milliseconds precedes them.
struct HyperIMUDecoder: TrackerDecoder {
    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) where line.count <= 1024 {
            var fields = TextFields.split(line)
            if fields.last?.isEmpty == true { fields.removeLast() }
            guard let numbers = TextFields.numbers(fields[...]) else {
                output.faults.append(.malformed)
                continue
            }
            var n = numbers[...]
            var stamp: SenderStamp?
            // Every sensor has three numbers, so the number of fields shows whether a time comes first.
            if n.count % 3 == 1, let time = n.popFirst() { stamp = SenderStamp(seconds: time / 1000, unit: 1e-3) }
            guard n.count >= 6 else {
                output.faults.append(.wrongArguments)
                continue
            }
            let axes = OrientationProfile.Axes.rightFrontUp
            let i = n.startIndex
            output.inertial(
                rate: axes.ours(SIMD3(n[i + 3], n[i + 4], n[i + 5])), force: axes.ours(SIMD3(n[i], n[i + 1], n[i + 2])),
                field: n.count >= 9 ? axes.ours(SIMD3(n[i + 6], n[i + 7], n[i + 8])) : nil, stamp: stamp)
        }
    }
}

/// FreePIE's "IMU sender" for Android. A datagram has fifty bytes: an unused byte, flags (1 raw, 2 orientation, 3
/// both), and twelve single-precision numbers. Raw values are accelerometer m/s², gyroscope rad/s, magnetometer µT;
/// they are preferred.
struct FreePIEDecoder: TrackerDecoder {
    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        let packet = bytes[...]
        guard packet.count == 50 else { return output.faults.append(.malformed) }
        let axes = OrientationProfile.Axes.rightFrontUp
        switch packet.little(1, UInt8.self) {
        case 1, 3:
            output.inertial(
                rate: axes.ours(packet.littleVector(14)), force: axes.ours(packet.littleVector(2)),
                field: axes.ours(packet.littleVector(26)))
        case 2:
            // Android's azimuth, pitch and roll, radians. The azimuth increases clockwise, the pitch is positive with
            // the top edge lowered, and the roll with the right edge lowered (SensorManager.getOrientation).
            output.orientation(angles: packet.littleVector(2) * SIMD3(-1, -1, 1))
        default: output.faults.append(.malformed)
        }
    }
}

/// JSON datagrams of sony-head-tracker (port 4243, its opentrack port plus one).
///
/// By default the program sends vectors as (−front, right, −up) of the head. In Proscenium's axes, the vector part of
/// the quaternion and the rate therefore have the opposite signs.
struct SonyHeadTrackerDecoder: TrackerDecoder {
    private var resets: Double?

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        guard let json = TextFields.json(bytes[...]) else { return output.faults.append(.malformed) }
        guard json["version"]?.number != nil, let q = json["quaternion"]?.numbers(atLeast: 4) else {
            return output.faults.append(.wrongArguments)
        }
        if let device = json["device"]?.text, !device.isEmpty, device.utf8.count <= 64 { output.identity = device }
        if let count = json["resetCounter"]?.number {
            if let resets, resets != count { output.readings.append(TrackerReading(.discontinuity)) }
            resets = count
        }
        let rate = (json["gyroscope"]?.vector ?? json["angularVelocity"]?.vector).map { -$0 }
        output.orientation(Quaternion(w: q[0], x: -q[1], y: -q[2], z: -q[3]), rate: rate)
    }
}
