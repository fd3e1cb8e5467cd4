extension OSCPacket {
    /// Returns the bytes of one datagram. Their number is a multiple of four. Strings end at their first zero
    /// character.
    package func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .message(let message): message.append(to: &bytes)
        case .bundle(let time, let elements):
            bytes.append(string: "#bundle")
            bytes.append(bigEndian: time.bits)
            for element in elements {
                let content = element.encoded()
                bytes.append(bigEndian: UInt32(content.count))
                bytes += content
            }
        }
    }
}

extension OSCMessage {
    /// Returns the bytes of a datagram that contains only this message.
    package func encoded() -> [UInt8] { OSCPacket.message(self).encoded() }

    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append(string: address)
        bytes.append(string: String(decoding: [UInt8(ascii: ",")] + arguments.map(\.typeTag), as: UTF8.self))
        for argument in arguments {
            switch argument {
            case .int32(let value): bytes.append(bigEndian: UInt32(bitPattern: value))
            case .float(let value): bytes.append(bigEndian: value.bitPattern)
            case .string(let text): bytes.append(string: text)
            case .blob(let content):
                bytes.append(bigEndian: UInt32(content.count))
                bytes += content
                bytes.pad()
            case .double(let value): bytes.append(bigEndian: value.bitPattern)
            case .int64(let value): bytes.append(bigEndian: UInt64(bitPattern: value))
            case .timeTag(let time): bytes.append(bigEndian: time.bits)
            case .boolean, .null: break
            }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append<T: FixedWidthInteger>(bigEndian value: T) {
        for shift in stride(from: T.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> T(shift)))
        }
    }

    fileprivate mutating func append(string: String) {
        self += string.utf8.prefix { $0 != 0 }
        append(0)
        pad()
    }

    fileprivate mutating func pad() {
        while count % 4 != 0 { append(0) }
    }
}
