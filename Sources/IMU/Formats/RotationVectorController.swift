import Geometry

/// A BNO08x in its robot-vacuum mode (UART-RVC): 19 bytes at 100 Hz. A frame has `AA AA`, an index, yaw, pitch and roll
/// in 0.01°, acceleration in mg, three spare bytes, and the sum of all bytes after `AA AA` (CEVA BNO08X data sheet,
/// §1.3.5.2).
struct RotationVectorController: TrackerDecoder {
    private var search = FrameSearch()

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        search.append(bytes)
        while let frame = search.next(&output.faults, Self.find) {
            let yaw = Double(frame.little(3, Int16.self))
            let pitch = Double(frame.little(5, Int16.self))
            let roll = Double(frame.little(7, Int16.self))
            // The data sheet's example shows the order of the rotations. Its roll of 20.85° comes with −0.36 g along x
            // and its pitch of −1.10° with −0.02 g along y. This is R = Rz(yaw)·Rx(pitch)·Ry(roll) with x right, y
            // front, z up. About those axes positive angles look left, look up and lower the right ear, as in
            // Proscenium.
            output.orientation(
                angles: SIMD3(yaw, pitch, roll) * (.pi / 18_000),
                sequence: SenderSequence(UInt64(frame.little(2, UInt8.self)), modulus: 256))
        }
    }

    private static func find(_ bytes: ArraySlice<UInt8>) -> FrameSearch.Finding {
        guard bytes[bytes.startIndex] == 0xaa else { return .nothing }
        guard bytes.count > 1 else { return .incomplete }
        guard bytes[bytes.startIndex + 1] == 0xaa else { return .nothing }
        guard bytes.count >= 19 else { return .incomplete }
        let sum = bytes[(bytes.startIndex + 2)..<(bytes.startIndex + 18)].reduce(0, &+)
        return sum == bytes[bytes.startIndex + 18] ? .frame(19) : .damaged(.checksum)
    }
}
