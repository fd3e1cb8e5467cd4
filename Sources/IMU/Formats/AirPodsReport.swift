import Geometry

/// A head-tracking report of AirPods, in the bud's own units and axes.
///
/// A packet of Apple's accessory protocol is `04 00 04 00`, a 16-bit operation (0x17: sensors), `00 00 10 00`, the
/// 16-bit length of a message, and the message in Protocol Buffers. Field 1 of the message counts the messages. Field 7
/// contains the number of the sensor (field 1, 14 for head tracking) and the report (field 3). Older firmware sends
/// field 3 instead, with the sensor in its first 16 bits, followed by the report. The count takes one more byte for
/// each seven bits, so that no field has a fixed place in the packet.
///
/// Source of the packets: captures in the public repository kavishdevar/aln, which state no units. The units used here
/// were derived from the captures (`Documentation/reference/tracker-protocol.md`, "Headphones").
struct AirPodsReport: Hashable, Sendable {
    /// Content of a packet.
    enum Content {
        /// A packet of the protocol with other content.
        case other
        /// A head-tracking report.
        case report(AirPodsReport)
        /// A packet whose fields contradict each other.
        case damaged
    }

    /// First bytes of a packet of the sensors.
    static let beginning: [UInt8] = [0x04, 0x00, 0x04, 0x00, 0x17, 0x00, 0x00, 0x00, 0x10, 0x00]
    /// Bytes before the message.
    static let headerLength = 12
    /// Number of the head-tracking sensor.
    private static let sensor: UInt64 = 14
    /// Least length of a report, bytes. Lengths of 56 and 58 were captured; they differ only after the fields read
    /// here.
    private static let leastLength = 56

    /// Number of the message, counted by the bud.
    let count: UInt64
    /// Time of a clock in the bud, microseconds. The report also has a clock in nanoseconds at byte 1. Both clocks run
    /// equally, except for a step of −76 µs in one of ten captures.
    let microseconds: UInt64
    /// Vector part of the unit quaternion of the attitude, bud to world, world z up. The scalar part is not sent, and
    /// is never negative.
    let attitude: SIMD3<Double>
    /// Angular rate, rad/s.
    let rate: SIMD3<Double>
    /// Gravity, in units of its standard value; it points down.
    let gravity: SIMD3<Double>

    /// Returns the content of a whole packet.
    static func content(of packet: ArraySlice<UInt8>) -> Content {
        guard packet.starts(with: beginning), packet.count >= headerLength,
            packet.count == headerLength + Int(packet.little(10, UInt16.self))
        else { return .damaged }
        var count: UInt64 = 0
        var fields = ProtobufFields(packet.dropFirst(headerLength))
        while let field = fields.next() {
            switch (field.number, field.value) {
            case (1, .number(let number)): count = number
            // Fields after the report are not read.
            case (3, .bytes(let old)) where old.count >= 2:
                return old.little(0, UInt16.self) == sensor ? content(report: old.dropFirst(2), count) : .other
            case (7, .bytes(let message)): return content(message: message, count)
            default: break
            }
        }
        return fields.isWhole ? .other : .damaged
    }

    private static func content(message: ArraySlice<UInt8>, _ count: UInt64) -> Content {
        var isHeadTracking = false
        var fields = ProtobufFields(message)
        while let field = fields.next() {
            switch (field.number, field.value) {
            case (1, .number(let number)): isHeadTracking = number == sensor
            case (3, .bytes(let report)): return isHeadTracking ? content(report: report, count) : .other
            default: break
            }
        }
        return fields.isWhole ? .other : .damaged
    }

    private static func content(report: ArraySlice<UInt8>, _ count: UInt64) -> Content {
        guard report.count >= leastLength, report.first == 1 else { return .damaged }
        func vector(_ offset: Int, _ unit: Double) -> SIMD3<Double> {
            SIMD3(
                Double(report.little(offset, Int16.self)), Double(report.little(offset + 2, Int16.self)),
                Double(report.little(offset + 4, Int16.self))) * unit
        }
        return .report(
            AirPodsReport(
                count: count, microseconds: report.little(12), attitude: vector(20, 1 / 32_768),
                rate: vector(26, 1 / 512), gravity: vector(44, 1 / 1024)))
    }
}
