import Foundation
import Gate
import IMU

/// Packets of one tracker with their times of arrival: rows `seconds,hexadecimal bytes`, in order of time.
struct PacketLog {
    /// Bytes that arrived together.
    struct Packet {
        /// Time of arrival, seconds of the stream.
        let arrival: Double
        let bytes: [UInt8]
    }

    /// The packets in order of arrival; at least one.
    let packets: [Packet]

    /// Reads a file. The error names the path, and the line if a row is faulty.
    init(contentsOf path: String) throws(Failure) {
        let data: [UInt8]
        do throws(BoundedFile.Refusal) { data = try BoundedFile.bytes(of: path, most: 1 << 30) } catch {
            throw Failure(.input, "cannot read \(path): \(error)")
        }
        var packets: [Packet] = []
        var number = 0
        for line in Data(data).split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            if line.isEmpty { continue }
            guard let packet = Packet(line) else {
                throw Failure(.input, "\(path): line \(number) is not 'seconds,bytes in hexadecimal'")
            }
            if let last = packets.last, packet.arrival < last.arrival {
                throw Failure(
                    .input, "\(path): line \(number): the time \(packet.arrival) comes before \(last.arrival)")
            }
            packets.append(packet)
        }
        guard !packets.isEmpty else { throw Failure(.input, "\(path) contains no packets") }
        self.packets = packets
    }
}

extension PacketLog.Packet {
    /// Parses one row; nil if it is invalid.
    fileprivate init?(_ line: Data.SubSequence) {
        guard let comma = line.firstIndex(of: 0x2C) else { return nil }
        let digits = line[line.index(after: comma)...]
        guard let arrival = Double(String(decoding: line[..<comma], as: UTF8.self)), arrival.isFinite,
            !digits.isEmpty, digits.count.isMultiple(of: 2)
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue.map(UInt8.init) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self.init(arrival: arrival, bytes: bytes)
    }
}
