import Geometry

/// The "teapot" frames of the MPU-6050's motion processor (i2cdevlib's MPU6050_DMP6). Each has fourteen bytes: `24 02`,
/// the quaternion as four big-endian numbers in 1/16384, a zero, a count, CR LF. The board's axes are assumed to be x
/// front, z up.
struct TeapotDecoder: TrackerDecoder {
    private var search = FrameSearch()

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        search.append(bytes)
        while let frame = search.next(&output.faults, Self.find) {
            let q = (0..<4).map { Double(frame.big(2 + 2 * $0, Int16.self)) / 16_384 }
            output.orientation(
                Quaternion(w: q[0], x: q[1], y: q[2], z: q[3]),
                sequence: SenderSequence(UInt64(frame.little(11, UInt8.self)), modulus: 256))
        }
    }

    private static func find(_ bytes: ArraySlice<UInt8>) -> FrameSearch.Finding {
        let marks: [(Int, UInt8)] = [(0, 0x24), (1, 0x02), (10, 0x00), (12, 0x0d), (13, 0x0a)]
        for (index, mark) in marks {
            guard index < bytes.count else { return .incomplete }
            guard bytes[bytes.startIndex + index] == mark else { return .nothing }
        }
        return .frame(14)
    }
}

/// Hatire's frames (opentrack's Arduino input). Each has thirty bytes, little-endian: AAAA, a count below 1000 or a
/// code, yaw, pitch and roll in degrees with opentrack's signs, a position, 5555.
struct HatireDecoder: TrackerDecoder {
    private var search = FrameSearch()

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        search.append(bytes)
        while let frame = search.next(&output.faults, Self.find) {
            let code: UInt16 = frame.little(2)
            // Other codes are skipped: from 2000 on they mark information, start and error messages in text.
            guard code < 1000 else { continue }
            let angles = OrientationProfile.opentrack.angles(frame.littleVector(4))
            output.orientation(angles: angles, sequence: SenderSequence(UInt64(code), modulus: 1000))
        }
    }

    private static func find(_ bytes: ArraySlice<UInt8>) -> FrameSearch.Finding {
        for (index, mark) in [(0, UInt8(0xaa)), (1, 0xaa), (28, 0x55), (29, 0x55)] {
            guard index < bytes.count else { return .incomplete }
            guard bytes[bytes.startIndex + index] == mark else { return .nothing }
        }
        return .frame(30)
    }
}
