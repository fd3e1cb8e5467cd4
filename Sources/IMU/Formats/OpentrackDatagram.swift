import Geometry

/// opentrack's "UDP over network" datagram: six little-endian doubles x, y, z (cm), yaw, pitch, roll (degrees).
///
/// Senders in Java write big-endian doubles; opentrack's own receiver also accepts datagrams with more bytes after the
/// six numbers.
package struct OpentrackDatagram: Equatable, Sendable {
    /// Length of the six numbers, and greatest length of a datagram; bytes.
    package static let byteCount = 48, longest = 64
    /// Position x, y, z in centimetres.
    package var position: SIMD3<Double>
    /// Yaw, pitch, roll in degrees, with opentrack's signs.
    package var angles: SIMD3<Double>

    /// Creates a datagram for sending.
    package init(position: SIMD3<Double> = SIMD3(0, 0, 0), angles: SIMD3<Double>) {
        self.position = position
        self.angles = angles
    }

    /// Reads a datagram; `nil` unless it has 48 to 64 bytes. The numbers are read as little-endian, or as big-endian if
    /// only this reading is plausible. A datagram longer than 48 bytes must have a plausible reading.
    package init?(_ bytes: [UInt8]) {
        guard (Self.byteCount...Self.longest).contains(bytes.count) else { return nil }
        let little = (0..<6).map { index in
            bytes[index * 8..<index * 8 + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        let big = little.map(\.byteSwapped)
        let isLittle = little.allSatisfy(Self.makesSense), isBig = !isLittle && big.allSatisfy(Self.makesSense)
        // A longer datagram without a plausible reading may be text of another format.
        guard bytes.count == Self.byteCount || isLittle || isBig else { return nil }
        let numbers = (isBig ? big : little).map { Double(bitPattern: $0) }
        position = SIMD3(numbers[0], numbers[1], numbers[2])
        angles = SIMD3(numbers[3], numbers[4], numbers[5])
    }

    /// Returns whether these bits are a plausible number: 0, or of a magnitude from 1e-9 to 1e6 centimetres or degrees.
    /// The wrong byte order gives numbers such as 5e-322, or NaN. Zero is recognised by its bits, because a thread that
    /// flushes denormals treats 5e-322 as 0.
    private static func makesSense(_ bits: UInt64) -> Bool {
        bits << 1 == 0 || (1e-9...1e6).contains(abs(Double(bitPattern: bits)))
    }

    /// The 48 bytes of the datagram, little-endian.
    package var bytes: [UInt8] {
        [position.x, position.y, position.z, angles.x, angles.y, angles.z].flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(8 * $0)) }
        }
    }
}

/// opentrack's "UDP over network", without stamp and sequence. Positions are ignored.
struct OpentrackDecoder: TrackerDecoder {
    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        guard let datagram = OpentrackDatagram(bytes) else { return output.faults.append(.malformed) }
        output.orientation(angles: OrientationProfile.opentrack.angles(datagram.angles))
    }
}
