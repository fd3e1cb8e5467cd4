import Geometry

/// Xsens MTi: MTData2 messages of the Xbus protocol. A message has `FA FF 36`, a length, and groups of a 16-bit name, a
/// length and big-endian numbers. The checksum byte at the end is such that the sum of all bytes, without the first
/// one, is zero modulo 256.
///
/// Sensor axes x front, y left, z up. The low bits of a group's name give the number format and the earth's axes.
struct XsensDecoder: TrackerDecoder {
    private var search = FrameSearch()
    private var choice: MotionChoice

    /// Command "go to measurement"; it has no effect during a measurement.
    let opening: [[UInt8]] = [[0xfa, 0xff, 0x10, 0x00, 0xf1]]

    /// Seconds until the 32-bit clock of 0.1 ms wraps.
    static let wrap = 4_294_967_296 / 10_000.0

    init(preferring kind: MotionChoice.Kind) { choice = MotionChoice(preferring: kind) }

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        search.append(bytes)
        while let frame = search.next(&output.faults, Self.find) {
            let isLong = frame.little(3, UInt8.self) == 0xff
            if frame.little(2, UInt8.self) == 0x36 { take(frame.dropFirst(isLong ? 6 : 4).dropLast(), into: &output) }
        }
    }

    private static func find(_ bytes: ArraySlice<UInt8>) -> FrameSearch.Finding {
        guard bytes[bytes.startIndex] == 0xfa else { return .nothing }
        guard bytes.count > 1 else { return .incomplete }
        guard bytes[bytes.startIndex + 1] == 0xff else { return .nothing }
        guard bytes.count >= 4 else { return .incomplete }
        var count = 5 + Int(bytes.little(3, UInt8.self))
        if count == 5 + 0xff {
            guard bytes.count >= 6 else { return .incomplete }
            count = 7 + Int(bytes.big(4, UInt16.self))
            // The longest message that the protocol permits.
            guard count <= 7 + 8192 else { return .nothing }
        }
        guard bytes.count >= count else { return .incomplete }
        return bytes.dropFirst().prefix(count - 1).reduce(0, &+) == 0 ? .frame(count) : .damaged(.checksum)
    }

    private mutating func take(_ groups: ArraySlice<UInt8>, into output: inout DecoderOutput) {
        var stamp: SenderStamp?
        var sequence: SenderSequence?
        var quaternion: Quaternion?
        var rate: SIMD3<Double>?
        var force: SIMD3<Double>?
        var field: SIMD3<Double>?
        var rest = groups
        while rest.count >= 3 {
            let name: UInt16 = rest.big(0)
            let count = Int(rest.little(2, UInt8.self))
            guard rest.count >= 3 + count else { return output.faults.append(.malformed) }
            let content = rest.dropFirst(3).prefix(count)
            rest = rest.dropFirst(3 + count)
            switch name & 0xfff0 {
            case 0x1020 where count == 2:
                sequence = SenderSequence(UInt64(content.big(0, UInt16.self)), modulus: 65_536)
            case 0x1060 where count == 4:
                stamp = SenderStamp(seconds: Double(content.big(0, UInt32.self)) / 10_000, wrap: Self.wrap)
            case 0x2010:
                guard let n = Self.numbers(content, name, 4) else { return output.faults.append(.wrongArguments) }
                let sent = Quaternion(w: n[0], x: n[1], y: n[2], z: n[3])
                // The earth's axes north, east, down become Proscenium's by half a turn about north.
                quaternion = name & 0xc == 4 ? Quaternion(w: 0, x: 1, y: 0, z: 0) * sent : sent
            case 0x4020: force = Self.numbers(content, name, 3).map { SIMD3($0[0], $0[1], $0[2]) }
            case 0x8020: rate = Self.numbers(content, name, 3).map { SIMD3($0[0], $0[1], $0[2]) }
            // The unit is arbitrary, 1 for the earth's field, assumed here to be 50 µT.
            case 0xc020: field = Self.numbers(content, name, 3).map { SIMD3($0[0], $0[1], $0[2]) * 50 }
            default: break
            }
        }
        guard rest.isEmpty else { return output.faults.append(.malformed) }
        let isMeasured = rate != nil && force != nil
        if let rate, let force, choice.preferred == .measured || quaternion == nil {
            output.inertial(
                rate: rate, force: force, field: field, stamp: stamp, sequence: sequence, by: &choice)
        } else if let quaternion {
            output.orientation(quaternion, rate: rate, stamp: stamp, sequence: sequence, by: &choice)
        } else if !isMeasured {
            output.faults.append(.wrongArguments)
        }
    }

    /// Returns numbers of single (0) or double (3) precision; `nil` for fixed-point formats and wrong lengths.
    private static func numbers(_ content: ArraySlice<UInt8>, _ name: UInt16, _ count: Int) -> [Double]? {
        switch name & 3 {
        case 0 where content.count == 4 * count: (0..<count).map { content.bigFloat(4 * $0) }
        case 3 where content.count == 8 * count:
            (0..<count).map { Double(bitPattern: content.big(8 * $0, UInt64.self)) }
        default: nil
        }
    }
}
