import Geometry

/// A head-tracking packet as AirPods would send it from a head, built field by field.
struct AirPodsPacket: Sendable {
    var count: UInt64 = 300
    var microseconds: UInt64 = 1_000_000
    /// Attitude and rate of the head, in this program's axes.
    var head = Quaternion(w: 1, x: 0, y: 0, z: 0)
    var rate = SIMD3<Double>(0, 0, 0)
    /// Vector of the attitude; nil: that of `head`.
    var vector: SIMD3<Double>?
    /// Gravity in the axes of the bud; nil: that of `head`.
    var gravity: SIMD3<Double>?
    var sensor: UInt8 = 14
    var isOlder = false
    var reportLength = 58

    /// A vector in the axes of the bud: x front, y down, z left.
    private static func bud(_ v: SIMD3<Double>) -> SIMD3<Double> { SIMD3(v.x, -v.z, v.y) }

    private static func little(_ v: SIMD3<Double>, _ unit: Double) -> [UInt8] {
        [v.x, v.y, v.z].flatMap { number in
            let word = UInt16(bitPattern: Int16((number * unit).rounded().clamped(to: -32_768...32_767)))
            return [UInt8(word & 0xff), UInt8(word >> 8)]
        }
    }

    private static func little(_ number: UInt64) -> [UInt8] { (0..<8).map { UInt8(number >> (8 * $0) & 0xff) } }

    static func varint(_ number: UInt64) -> [UInt8] {
        var rest = number
        var bytes: [UInt8] = []
        while rest > 0x7f {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private var report: [UInt8] {
        // Attitude of the bud: the rotation from its axes to the head's axes, then the attitude of the head.
        let half = 0.5.squareRoot()
        var bud = head * Quaternion(w: half, x: -half, y: 0, z: 0)
        if bud.w < 0 { bud = Quaternion(w: -bud.w, x: -bud.x, y: -bud.y, z: -bud.z) }
        let down = Self.bud(head.conjugate.rotate(SIMD3(0, 0, -1)))
        var bytes: [UInt8] = [1] + Self.little(microseconds &* 1000) + [3, 4, 0x43] + Self.little(microseconds)
        bytes += Self.little(vector ?? SIMD3(bud.x, bud.y, bud.z), 32_768) + Self.little(Self.bud(rate), 512)
        bytes += [0x21, 0x83, 0x21, 0x83, 0x21, 0x83, 1, 0, 2, 0, 3, 0]
        bytes += Self.little(gravity ?? down, 1024) + [0x8a, 0x97, 0x95, 0x36] + Self.little(8 * count)
        return Array(bytes.prefix(reportLength))
    }

    /// The packet.
    var bytes: [UInt8] {
        var message = [8] + Self.varint(count) + [0x10, isOlder ? 7 : 1]
        if isOlder {
            message += [0x1a, UInt8(report.count + 2), sensor, 0] + report
        } else {
            message += [0x3a, UInt8(report.count + 4), 8, sensor, 0x1a, UInt8(report.count)] + report
        }
        return Self.packet(message)
    }

    /// A packet of the sensors with this message.
    static func packet(_ message: [UInt8]) -> [UInt8] {
        [4, 0, 4, 0, 0x17, 0, 0, 0, 0x10, 0, UInt8(message.count & 0xff), UInt8(message.count >> 8)] + message
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
