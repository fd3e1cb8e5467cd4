/// Framing of OSC packets in a stream. Each packet is preceded by its length in four bytes (OSC 1.0), or is between END
/// bytes of SLIP (OSC 1.1, RFC 1055).
enum OSCFraming: Sendable {
    /// A big-endian length precedes each packet.
    case length
    /// SLIP.
    case slip

    private static let end: UInt8 = 0xC0, escape: UInt8 = 0xDB, escapedEnd: UInt8 = 0xDC, escapedEscape: UInt8 = 0xDD

    /// Selects the framing by the first byte of the stream. END, `/` and `#` mean SLIP: a packet begins with `/` or
    /// `#`, and liblo sends no END before the first packet. A length never begins with these bytes, because packets are
    /// shorter.
    init(firstByte: UInt8) {
        self = [Self.end, UInt8(ascii: "/"), UInt8(ascii: "#")].contains(firstByte) ? .slip : .length
    }

    /// Returns a packet in its frame.
    func frame(_ packet: [UInt8]) -> [UInt8] {
        switch self {
        case .length:
            let count = UInt32(packet.count)
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + packet
        case .slip:
            var framed = [Self.end]
            for byte in packet {
                switch byte {
                case Self.end: framed += [Self.escape, Self.escapedEnd]
                case Self.escape: framed += [Self.escape, Self.escapedEscape]
                default: framed.append(byte)
                }
            }
            return framed + [Self.end]
        }
    }

    /// Removes and returns the complete packets at the beginning of the bytes. Returns nil if the framing is violated,
    /// if a length is greater than `longest`, or if an unfinished SLIP frame is longer than twice `longest`.
    func packets(in bytes: inout [UInt8], longest: Int) -> [[UInt8]]? {
        var found: [[UInt8]] = []
        var taken = 0
        switch self {
        case .length:
            while bytes.count - taken >= 4 {
                let count = bytes[taken..<taken + 4].reduce(0) { $0 << 8 | Int($1) }
                guard count <= longest else { return nil }
                guard bytes.count - taken >= 4 + count else { break }
                found.append(Array(bytes[taken + 4..<taken + 4 + count]))
                taken += 4 + count
            }
        case .slip:
            while let stop = bytes[taken...].firstIndex(of: Self.end) {
                guard let packet = Self.plain(bytes[taken..<stop]) else { return nil }
                if !packet.isEmpty { found.append(packet) }
                taken = stop + 1
            }
            guard bytes.count - taken <= 2 * longest else { return nil }
        }
        bytes.removeFirst(taken)
        return found
    }

    private static func plain(_ framed: ArraySlice<UInt8>) -> [UInt8]? {
        var packet: [UInt8] = []
        var isEscaped = false
        for byte in framed {
            switch (isEscaped, byte) {
            case (false, escape): isEscaped = true
            case (false, _): packet.append(byte)
            case (true, escapedEnd), (true, escapedEscape):
                packet.append(byte == escapedEnd ? end : escape)
                isEscaped = false
            default: return nil
            }
        }
        return isEscaped ? nil : packet
    }
}
