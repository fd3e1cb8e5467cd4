import Geometry

/// Razor AHRS (x front, y right, z down; yaw clockwise), text and binary, and the handshake that leads from one to the
/// other as its firmware documents it.
///
/// On opening `#s00` asks for a sign of life; its answer `#SYNCH00` is answered with `#ob#o1#oe0#s01` (binary,
/// continuous, no error text), and what follows `#SYNCH01` are frames of three single-precision angles back to back.
/// They have no mark and no checksum: an angle that cannot be means a byte was lost, and the handshake is begun again.
/// Text lines (`#YPR=`, and the sensors' `#A-C=` `#M-C=` `#G-C=` or `-R`) are read as they come.
struct RazorDecoder: TrackerDecoder {
    private var lines = LineSearch(greatestLength: 256)
    private var frames = FrameSearch()
    private var isBinary = false
    private var force = LatestVector()

    let opening = [Array("#s00".utf8)]

    /// ADXL345 at full resolution: 256 steps per g, and the firmware's calibration keeps them.
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
                // The answer's line feed ends its line, but its carriage return would already: frames begin after both.
                if byte == UInt8(ascii: "\r") { continue }
                if let line = lines.take(byte, &output.faults) { text(line[...], into: &output) }
            }
        }
    }

    /// Reads frames; what is left is text where they turn out to be none.
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

    /// Whether these are three angles. Bytes out of step make numbers of any size: a number below 1e-9° that is not
    /// zero is none that arithmetic in single precision yields. Three in a thousand frames out of step would pass.
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
            // The accelerometer's line comes before the gyroscope's. The firmware gives the direction of gravity in
            // its axes; the specific force is its opposite.
            guard let force = force.use() else { return output.faults.append(.wrongArguments) }
            let rate = OrientationProfile.Axes.frontRightDown.ours(values) * Self.rateUnit
            output.inertial(rate: rate, force: force)
        } else {
            output.faults.append(.malformed)
        }
    }

    /// The three numbers of a line of this kind: `nil` for another kind, `.some(nil)` where they are not three numbers.
    private static func values(_ line: ArraySlice<UInt8>, after kind: String) -> SIMD3<Double>?? {
        guard line.starts(with: kind.utf8) else { return nil }
        let fields = TextFields.split(line.dropFirst(kind.utf8.count))
        guard let n = TextFields.numbers(fields[...]), n.count == 3 else { return .some(nil) }
        return SIMD3(n[0], n[1], n[2])
    }

    /// Yaw clockwise, pitch up, roll right ear down, degrees.
    private func angles(_ sent: SIMD3<Double>, into output: inout DecoderOutput) {
        output.orientation(angles: sent * SIMD3(-1, 1, 1) * (.pi / 180))
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
