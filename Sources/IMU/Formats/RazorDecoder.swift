import Geometry

/// Razor AHRS (x front, y right, z down; yaw clockwise), text and binary. The decoder performs the firmware's handshake
/// from text to binary.
///
/// On opening, `#s00` requests a reply. The tracker replies `#SYNCH00`, and the decoder sends `#ob#o1#oe0#s01` (binary,
/// continuous, no error text). After `#SYNCH01` the tracker sends frames of three single-precision angles without gaps.
/// The frames have neither mark nor checksum, so an impossible angle means a lost byte, and the handshake starts again.
/// Text lines (`#YPR=`, and the sensors' `#A-C=` `#M-C=` `#G-C=` or `-R`) are decoded as well, but the magnetometer
/// (`#M`) is not used.
struct RazorDecoder: TrackerDecoder {
    private var lines = LineSearch(greatestLength: 256)
    private var frames = FrameSearch()
    private var isBinary = false
    private var force = LatestVector()

    let opening = [Array("#s00".utf8)]

    /// ADXL345 at full resolution: 256 steps per g. The firmware's calibration keeps this scale.
    static let forceUnit = standardGravity / 256
    /// ITG-3200: 14.375 steps per degree per second.
    static let rateUnit = Double.pi / 180 / 14.375

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if isBinary {
                frames.append(Array(rest))
                rest = binary(into: &output)
            } else {
                let byte = rest.removeFirst()
                // The line feed ends the line. The carriage return is ignored, because frames begin after both.
                if byte == UInt8(ascii: "\r") { continue }
                if let line = lines.take(byte, &output.faults) { text(line[...], into: &output) }
            }
        }
    }

    /// Decodes frames. If a frame is invalid, returns the bytes that must be read as text.
    private mutating func binary(into output: inout DecoderOutput) -> ArraySlice<UInt8> {
        var isLost = false
        while let frame = frames.next(
            &output.faults,
            { bytes in
                guard bytes.count >= 12 else { return .incomplete }
                isLost = !Self.isFrame(bytes)
                return .frame(isLost ? 0 : 12)
            })
        {
            if isLost {
                isBinary = false
                output.faults.append(.outOfSync)
                output.replies += opening
                return frames.takeRest()[...]
            }
            angles(frame.littleVector(0), into: &output)
        }
        return []
    }

    /// Returns whether the bytes are three angles. After a lost byte the numbers have any magnitude, but the firmware's
    /// single-precision arithmetic gives no magnitude between 0 and 1e-9°. About three of a thousand frames after a
    /// lost byte pass this check.
    private static func isFrame(_ bytes: ArraySlice<UInt8>) -> Bool {
        let angles = bytes.littleVector(0)
        return isAngle(angles.x, 180.01) && isAngle(angles.y, 90.01) && isAngle(angles.z, 180.01)
    }

    private static func isAngle(_ value: Double, _ greatest: Double) -> Bool {
        value == 0 || (abs(value) >= 1e-9 && abs(value) <= greatest)
    }

    private mutating func text(_ line: ArraySlice<UInt8>, into output: inout DecoderOutput) {
        if line.ends(with: "#SYNCH00") {
            output.replies.append(Array("#ob#o1#oe0#s01".utf8))
        } else if line.ends(with: "#SYNCH01") {
            isBinary = true
        } else if let values = Self.values(line, after: "#YPR=") {
            guard let values else { return output.faults.append(.malformed) }
            angles(values, into: &output)
        } else if let values = Self.values(line, after: "#A-C=") ?? Self.values(line, after: "#A-R=") {
            guard let values else { return output.faults.append(.malformed) }
            force.set(SIMD3(-values.x, values.y, values.z) * Self.forceUnit)
        } else if let values = Self.values(line, after: "#M-C=") ?? Self.values(line, after: "#M-R=") {
            if values == nil { output.faults.append(.malformed) }
        } else if let values = Self.values(line, after: "#G-C=") ?? Self.values(line, after: "#G-R=") {
            guard let values else { return output.faults.append(.malformed) }
            // The accelerometer's line precedes the gyroscope's. In the accelerometer's line the firmware sends the
            // direction of gravity in its axes; the specific force stored above has the opposite direction.
            guard let force = force.use() else { return output.faults.append(.wrongArguments) }
            let rate = OrientationProfile.Axes.frontRightDown.ours(values) * Self.rateUnit
            output.inertial(rate: rate, force: force)
        } else {
            output.faults.append(.malformed)
        }
    }

    /// Returns the three numbers of a line of this kind. Nil for another kind; `.some(nil)` if its fields are not three
    /// numbers.
    private static func values(_ line: ArraySlice<UInt8>, after kind: String) -> SIMD3<Double>?? {
        guard line.starts(with: kind.utf8) else { return nil }
        let fields = TextFields.split(line.dropFirst(kind.utf8.count))
        guard let n = TextFields.numbers(fields[...]), n.count == 3 else { return .some(nil) }
        return SIMD3(n[0], n[1], n[2])
    }

    /// Appends an orientation from yaw (clockwise), pitch (up) and roll (right ear down), degrees.
    private func angles(_ sent: SIMD3<Double>, into output: inout DecoderOutput) {
        output.orientation(angles: sent * SIMD3(-1, 1, 1) * (.pi / 180))
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
