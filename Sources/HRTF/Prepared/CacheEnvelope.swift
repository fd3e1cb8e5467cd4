import Foundation
import Gate

/// Bytes of a cached result: a mark of the format, the length of the description (8 bytes), the description as JSON,
/// numbers, and a checksum (8 bytes) of everything before it. The bytes stay on one machine, so numbers have this
/// machine's byte order.
package enum CacheEnvelope {
    /// Returns the bytes for a description and for the numbers that `append` adds. `count`: number of bytes that
    /// `append` adds.
    package static func seal(
        _ mark: [UInt8], _ description: some Encodable, count: Int, append: (inout [UInt8]) -> Void
    ) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let words = try encoder.encode(description)
        var bytes = mark
        bytes.reserveCapacity(mark.count + words.count + count + 16)
        withUnsafeBytes(of: UInt64(words.count)) { bytes += $0 }
        bytes += words
        append(&bytes)
        let sum = bytes.withUnsafeBytes { CacheEntries.checksum($0) }
        withUnsafeBytes(of: sum) { bytes += $0 }
        return bytes
    }

    /// Returns the description and the numbers; nil if the bytes are damaged or of another format.
    package static func open<Description: Decodable>(
        _ bytes: UnsafeRawBufferPointer, _ mark: [UInt8], as description: Description.Type
    ) -> (description: Description, numbers: UnsafeRawBufferPointer)? {
        let head = mark.count + 8
        guard bytes.count >= head + 8, bytes.prefix(mark.count).elementsEqual(mark) else { return nil }
        let body = UnsafeRawBufferPointer(rebasing: bytes.dropLast(8))
        let sum = bytes.loadUnaligned(fromByteOffset: body.count, as: UInt64.self)
        let length = bytes.loadUnaligned(fromByteOffset: mark.count, as: UInt64.self)
        guard sum == CacheEntries.checksum(body), length <= UInt64(body.count - head),
            let found = try? JSONValue.decode(description, from: body[head..<(head + Int(length))], within: .child)
        else { return nil }
        return (found, UnsafeRawBufferPointer(rebasing: body[(head + Int(length))...]))
    }
}
