import Geometry

/// Razor AHRS (x front, y right, z down; yaw clockwise), text and binary, with its firmware's handshake from text to
/// binary.
///
/// On opening, `#s00` requests a sign of life. Its answer `#SYNCH00` is answered with `#ob#o1#oe0#s01` (binary,
/// continuous, no error text); after `#SYNCH01` follow frames of three single-precision angles without gaps. They have
/// no mark and no checksum: an impossible angle means a lost byte, and the handshake begins again. Text lines (`#YPR=`,
/// and the sensors' `#A-C=` `#M-C=` `#G-C=` or `-R`) are read as they arrive.
struct RazorDecoder: TrackerDecoder {
    private var lines = LineSearch(greatestLength: 256)
    private var frames = FrameSearch()
    private var isBinary = false
    private var force = LatestVector()

    let opening = [Array("#s00".utf8)]

    /// ADXL345 at full resolution: 256 steps per g, which the firmware's calibration keeps.
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
                // The line feed ends the line; the carriage return is ignored: frames begin after both.
                if byte == UInt8(ascii: "\r") { continue }
                if let line = lines.take(byte, &output.faults) { text(line[...], into: &output) }
            }
        }
    }

    /// Decodes frames; returns the bytes to be read as text where a frame is invalid.
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

    /// Returns whether these are three angles. Bytes out of step make numbers of any size. A nonzero number below 1e-9°
    /// does not result from single-precision arithmetic. Three in a thousand frames out of step would pass.
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
            // The accelerometer's line comes before the gyroscope's. The firmware gives the direction of gravity in its
            // axes; the specific force is the opposite.
            guard let force = force.use() else { return output.faults.append(.wrongArguments) }
            let rate = OrientationProfile.Axes.frontRightDown.ours(values) * Self.rateUnit
            output.inertial(rate: rate, force: force)
        } else {
            output.faults.append(.malformed)
        }
    }

    /// Returns the three numbers of a line of this kind: `nil` for another kind, `.some(nil)` for other fields.
    private static func values(_ line: ArraySlice<UInt8>, after kind: String) -> SIMD3<Double>?? {
        guard line.starts(with: kind.utf8) else { return nil }
        let fields = TextFields.split(line.dropFirst(kind.utf8.count))
        guard let n = TextFields.numbers(fields[...]), n.count == 3 else { return .some(nil) }
        return SIMD3(n[0], n[1], n[2])
    }

    /// Takes yaw clockwise, pitch up, roll right ear down, degrees.
    private func angles(_ sent: SIMD3<Double>, into output: inout DecoderOutput) {
        output.orientation(angles: sent * SIMD3(-1, 1, 1) * (.pi / 180))
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
