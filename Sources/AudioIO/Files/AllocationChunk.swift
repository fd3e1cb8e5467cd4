/// The `chna` chunk of ITU-R BS.2088-1. It describes a sound field's tracks in WAVE files by the common definitions of
/// BS.2094, so no `axml` chunk is needed.
enum AllocationChunk {
    /// Highest order that has common definitions.
    static let highestOrder = 6

    /// Declares a file's first tracks as a sound field of the given order, with ACN channel order and SN3D
    /// normalisation. Further tracks stay undeclared. Call before any sound is written: the header then has the chunk
    /// even if the take is cut off.
    static func write(fieldOfOrder order: Int, to file: OpaquePointer) {
        HeaderChunk.add("chna", content(fieldOfOrder: order), to: file)
    }

    private static func content(fieldOfOrder order: Int) -> [UInt8] {
        let count = (order + 1) * (order + 1)
        var content = WaveTail.little(UInt16(count)) + WaveTail.little(UInt16(count))
        for track in 1...count {
            content += WaveTail.little(UInt16(track)) + Array("ATU_\(hexadecimal(track, 8))".utf8)
            content += Array("AT_0004\(hexadecimal(track, 4))_01".utf8) + Array("AP_0004\(hexadecimal(order, 4))".utf8)
            content.append(0)
        }
        return content
    }

    private static func hexadecimal(_ number: Int, _ digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
