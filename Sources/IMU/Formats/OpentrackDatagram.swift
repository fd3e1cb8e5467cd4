import Geometry

/// opentrack's "UDP over network" datagram: six little-endian doubles x, y, z (cm), yaw, pitch, roll (degrees).
package struct OpentrackDatagram: Equatable, Sendable {
    /// The size of every datagram in bytes.
    package static let byteCount = 48
    /// Position x, y, z in centimetres.
    package var position: SIMD3<Double>
    /// Yaw, pitch, roll in degrees, opentrack's signs.
    package var angles: SIMD3<Double>

    /// A datagram to be sent.
    package init(position: SIMD3<Double> = SIMD3(0, 0, 0), angles: SIMD3<Double>) {
        self.position = position
        self.angles = angles
    }

    /// Reads a datagram; `nil` unless it is exactly 48 bytes long. Numbers are taken as they come.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        let numbers = (0..<6).map { index in
            Double(bitPattern: bytes[index * 8..<index * 8 + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        position = SIMD3(numbers[0], numbers[1], numbers[2])
        angles = SIMD3(numbers[3], numbers[4], numbers[5])
    }

    /// The 48 bytes.
    package var bytes: [UInt8] {
        [position.x, position.y, position.z, angles.x, angles.y, angles.z].flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(8 * $0)) }
        }
    }
}

/// opentrack's "UDP over network". It has neither stamp nor sequence, and positions are passed over.
struct OpentrackDecoder: TrackerDecoder {
    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        guard let datagram = OpentrackDatagram(bytes) else { return output.faults.append(.malformed) }
        output.orientation(angles: OrientationProfile.opentrack.angles(datagram.angles))
    }
}
