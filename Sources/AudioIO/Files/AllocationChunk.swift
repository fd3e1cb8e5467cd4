/// What the tracks of a sound field are, in WAVE files: the `chna` chunk of ITU-R BS.2088-1, by definitions that
/// BS.2094 makes once and for all, so that no `axml` is needed.
enum AllocationChunk {
    /// The highest order that is defined there.
    static let highestOrder = 6

    /// Has a file say that its first tracks are a sound field of an order, ACN and SN3D; before any sound is in it. It
    /// stands in the header, so that a take that is cut off says it too. Tracks behind them are not defined.
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
