import Foundation
import Geometry
import Signal

/// A set as `FieldPreparation` leaves it, and as it is kept in a file.
///
/// The file: 16 bytes that say what it is, the length of the description (8 bytes), the description as JSON, the responses
/// `[shell][point][ear][tap]` and the delays `[shell][point][ear]` as float32, and a checksum (8 bytes) of all before it. Numbers are
/// little-endian: a cache stays on its machine.
struct PreparedSet {
    var content: FilterField.Content
    var report: HRTFReport

    /// What precedes the numbers.
    private struct Description: Codable {
        var rings: Int
        var taps: Int
        var onset: Double
        var lead: Int
        var tail: Int
        var shells: Int
        var report: HRTFReport
    }

    private static let mark = Array("proscenium set 2".utf8)

    /// A field and what was done for it; nil where the set's own responses belong to it, which are not kept.
    init?(_ content: FilterField.Content, _ report: HRTFReport) {
        guard content.measured == nil, content.isDelayed else { return nil }
        (self.content, self.report) = (content, report)
    }

    /// The bytes of the file. Some milliseconds for ten megabytes.
    func encoded() throws -> [UInt8] {
        let description = try JSONEncoder().encode(
            Description(
                rings: content.grid.ringCount, taps: content.alignedTaps, onset: content.alignedOnset,
                lead: content.margins.lead, tail: content.margins.tail, shells: content.shellCount, report: report))
        var bytes = Self.mark
        bytes.reserveCapacity(
            bytes.count + description.count + 4 * (content.responses.count + content.delays.count) + 16)
        withUnsafeBytes(of: UInt64(description.count).littleEndian) { bytes += $0 }
        bytes += description
        content.responses.withUnsafeBytes { bytes += $0 }
        content.delays.withUnsafeBytes { bytes += $0 }
        let sum = bytes.withUnsafeBytes { Self.checksum($0) }
        withUnsafeBytes(of: sum.littleEndian) { bytes += $0 }
        return bytes
    }

    /// What was kept; nil where the bytes are damaged or none of ours.
    init?(decoding bytes: UnsafeRawBufferPointer) {
        let head = Self.mark.count + 8
        guard bytes.count >= head + 8, bytes.prefix(Self.mark.count).elementsEqual(Self.mark) else { return nil }
        let body = UnsafeRawBufferPointer(rebasing: bytes.dropLast(8))
        let sum = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: body.count, as: UInt64.self))
        let length = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: Self.mark.count, as: UInt64.self))
        guard sum == Self.checksum(body), length <= UInt64(body.count - head) else { return nil }
        let start = head + Int(length)
        guard let description = try? JSONDecoder().decode(Description.self, from: Data(body[head..<start])),
            (3...361).contains(description.rings), (1...(1 << 20)).contains(description.taps),
            (0...DelayMargins().lead).contains(description.lead), (0...DelayMargins().tail).contains(description.tail),
            (1...(1 + HRTFOptions.mostDistances)).contains(description.shells)
        else { return nil }
        let grid = RingGrid(stepDegrees: 180 / Double(description.rings - 1))
        let rows = 2 * grid.count * description.shells
        let responses = rows * description.taps
        guard body.count - start == 4 * (responses + rows) else { return nil }
        content = FilterField.Content(
            grid: grid, responses: Self.floats(body, from: start, count: responses), alignedTaps: description.taps,
            delays: Self.floats(body, from: start + 4 * responses, count: rows),
            alignedOnset: description.onset, margins: DelayMargins(lead: description.lead, tail: description.tail),
            shellCount: description.shells)
        report = description.report
    }

    private static func floats(_ bytes: UnsafeRawBufferPointer, from start: Int, count: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: count) { floats, initialized in
            // Both hold `count` floats: the caller has compared the sizes.
            UnsafeMutableRawBufferPointer(floats).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + 4 * count)]))
            initialized = count
        }
    }

    /// A sum in which every bit and its place counts (the multiplier and the turn of FNV-1a's 64-bit form and its like),
    /// eight bytes at a time. Against accidents, not against malice: the file is the user's own.
    private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        let whole = bytes.count / 8 * 8
        for place in stride(from: 0, to: whole, by: 8) {
            sum = (sum ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0x0000_0100_0000_01b3
            sum ^= sum >> 29
        }
        for place in whole..<bytes.count { sum = (sum ^ UInt64(bytes[place])) &* 0x0000_0100_0000_01b3 }
        return sum
    }
}
