/// The fields in the reports of a HID device, read from its report descriptor (USB Device Class Definition for HID
/// 1.11, §6.2.2).
package struct HIDDescriptor: Hashable, Sendable {
    /// Direction of a report.
    package enum Kind: Hashable, Sendable {
        case input
        case output
        case feature
    }

    /// Adjacent numbers of the same size and range in a report.
    package struct Field: Hashable, Sendable {
        /// Direction of the report.
        package var kind: Kind
        /// Number of the report; 0 for a device without report numbers.
        package var report: UInt8
        /// Offset in bits from the start of the report, without the report's number.
        package var offset: Int
        /// Size of one number in bits, 1…32.
        package var size: Int
        /// Count of numbers in the field.
        package var count: Int
        /// Usages, with the page in the upper sixteen bits: one for each number, or one for all of them. An array has
        /// one for each value.
        package var usages: [UInt32]
        /// Whether a number is an index of one of the usages.
        package var isArray: Bool
        /// Least and greatest number sent.
        package var logical: ClosedRange<Int>
        /// Physical values of the bounds of `logical`, in the unit times ten to the power `exponent`. Equal to
        /// `logical` if the device states no physical values.
        package var physical: ClosedRange<Int>
        /// Power of ten of the physical values.
        package var exponent: Int

        /// Returns the physical value of a number, in the field's unit.
        package func value(_ number: Int) -> Double {
            let span = Double(logical.upperBound) - Double(logical.lowerBound)
            let share = span > 0 ? (Double(number) - Double(logical.lowerBound)) / span : 0
            let low = Double(physical.lowerBound)
            var value = low + share * (Double(physical.upperBound) - low)
            for _ in 0..<abs(exponent) { value = exponent < 0 ? value / 10 : value * 10 }
            return value
        }

        /// Returns the numbers of the field in a report's bytes without the report's number; `nil` if the report is too
        /// short.
        package func numbers(in report: ArraySlice<UInt8>) -> [Int]? {
            guard offset + size * count <= report.count * 8 else { return nil }
            return (0..<count).map { index in
                var bits: UInt64 = 0
                for bit in 0..<size {
                    let place = offset + index * size + bit
                    if report[report.startIndex + place / 8] >> UInt8(place % 8) & 1 == 1 { bits |= 1 << UInt64(bit) }
                }
                let isNegative = logical.lowerBound < 0 && bits >> UInt64(size - 1) & 1 == 1
                return isNegative ? Int(bits) - (1 << size) : Int(bits)
            }
        }

        /// Writes one number into a report's bytes without the report's number. Does nothing if the report is too short
        /// or the field has no number at `index`.
        package func write(_ number: Int, at index: Int = 0, into report: inout [UInt8]) {
            guard index < count, offset + size * (index + 1) <= report.count * 8 else { return }
            for bit in 0..<size {
                let place = offset + index * size + bit
                let mask = UInt8(1) << UInt8(place % 8)
                if number >> bit & 1 == 1 { report[place / 8] |= mask } else { report[place / 8] &= ~mask }
            }
        }
    }

    /// All fields with a usage, in the descriptor's order.
    package private(set) var fields: [Field] = []
    /// Usages of the top-level collections.
    package private(set) var collections: [UInt32] = []
    private var lengths: [ReportName: Int] = [:]

    private struct ReportName: Hashable {
        var kind: Kind
        var number: UInt8
    }

    /// Greatest number of fields; a descriptor with more is refused.
    static let greatestFieldCount = 1024
    /// Greatest length of a report in bits: 4096 bytes.
    static let greatestReport = 32_768

    /// Reads a descriptor; `nil` if it is cut short, unbalanced or otherwise faulty, or exceeds a limit such as
    /// `greatestReport`. O(bytes).
    package init?(_ bytes: [UInt8]) {
        var reader = ItemReader()
        var index = 0
        while index < bytes.count {
            let prefix = bytes[index]
            // A long item: its length follows. The content is undefined and is skipped.
            if prefix == 0xfe {
                guard index + 1 < bytes.count else { return nil }
                index += 3 + Int(bytes[index + 1])
                guard index <= bytes.count else { return nil }
                continue
            }
            let count = [0, 1, 2, 4][Int(prefix & 3)]
            guard index + 1 + count <= bytes.count else { return nil }
            let content = bytes[(index + 1)..<(index + 1 + count)]
            guard reader.take(prefix & 0xfc, content, into: &self) else { return nil }
            index += 1 + count
        }
        guard reader.isBalanced else { return nil }
    }

    /// Returns the length of a report in bytes, without its number; 0 if there is no such report.
    package func byteCount(_ kind: Kind, _ number: UInt8) -> Int {
        ((lengths[ReportName(kind: kind, number: number)] ?? 0) + 7) / 8
    }

    /// Returns the first field of a kind with a usage; nil if there is none.
    package func field(_ kind: Kind, usage: UInt32) -> Field? {
        fields.first { $0.kind == kind && $0.usages.contains(usage) }
    }

    fileprivate mutating func open(_ usage: UInt32) { collections.append(usage) }

    /// Appends a field to its report; returns false if the report or the number of fields becomes too large.
    fileprivate mutating func add(_ field: Field) -> Bool {
        let name = ReportName(kind: field.kind, number: field.report)
        var field = field
        field.offset = lengths[name, default: 0]
        let (bits, overflows) = field.size.multipliedReportingOverflow(by: field.count)
        guard !overflows, field.offset + bits <= Self.greatestReport, fields.count < Self.greatestFieldCount else {
            return false
        }
        lengths[name] = field.offset + bits
        if !field.usages.isEmpty, (1...32).contains(field.size), field.count > 0 { fields.append(field) }
        return true
    }
}

/// State of the parser between two items.
private struct ItemReader {
    private struct Globals {
        var page: UInt32 = 0
        var logical = (low: 0, high: 0)
        var physical = (low: 0, high: 0)
        var exponent = 0
        var size = 0
        var count = 0
        var report: UInt8 = 0
    }

    private var globals = Globals()
    private var stack: [Globals] = []
    private var usages: [UInt32] = []
    private var leastUsage: UInt32?
    private var depth = 0

    var isBalanced: Bool { depth == 0 }

    /// Processes one item; returns false if the descriptor is faulty.
    mutating func take(_ tag: UInt8, _ content: ArraySlice<UInt8>, into descriptor: inout HIDDescriptor) -> Bool {
        let bits = content.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let shift = UInt32(32 - 8 * content.count)
        let signed = content.isEmpty ? 0 : Int(Int32(bitPattern: bits << shift) >> Int32(shift))
        switch tag {
        case 0x80: return add(.input, bits, &descriptor)
        case 0x90: return add(.output, bits, &descriptor)
        case 0xb0: return add(.feature, bits, &descriptor)
        case 0xa0:
            if depth == 0, let usage = usages.first { descriptor.open(usage) }
            depth += 1
            endMain()
            return depth <= 32
        case 0xc0:
            depth -= 1
            endMain()
            return depth >= 0
        case 0x04: globals.page = bits & 0xffff
        case 0x14: globals.logical.low = signed
        case 0x24: globals.logical.high = globals.logical.low >= 0 ? Int(bits) : signed
        case 0x34: globals.physical.low = signed
        case 0x44: globals.physical.high = globals.physical.low >= 0 ? Int(bits) : signed
        // Exponent: four bits, two's complement.
        case 0x54: globals.exponent = Int(bits & 0xf) - (bits & 8 != 0 ? 16 : 0)
        case 0x74: globals.size = Int(bits)
        case 0x84: globals.report = UInt8(truncatingIfNeeded: bits)
        case 0x94: globals.count = Int(bits)
        case 0xa4:
            guard stack.count < 16 else { return false }
            stack.append(globals)
        case 0xb4:
            guard let last = stack.popLast() else { return false }
            globals = last
        case 0x08: usages.append(extended(bits, content.count))
        case 0x18: leastUsage = extended(bits, content.count)
        case 0x28:
            let greatest = extended(bits, content.count)
            guard let least = leastUsage, least <= greatest else { return false }
            // An array of media keys may list all usages of its page; only the first 1024 are kept.
            usages += Array(least...(greatest - least < 1024 ? greatest : least + 1023))
            leastUsage = nil
        default: break
        }
        return usages.count <= 4096
    }

    /// Returns a usage with its page. A usage of four bytes already contains its page.
    private func extended(_ bits: UInt32, _ count: Int) -> UInt32 { count == 4 ? bits : globals.page << 16 | bits }

    private mutating func endMain() {
        usages = []
        leastUsage = nil
    }

    private mutating func add(
        _ kind: HIDDescriptor.Kind, _ flags: UInt32, _ descriptor: inout HIDDescriptor
    ) -> Bool {
        defer { endMain() }
        guard globals.size <= HIDDescriptor.greatestReport, globals.count <= HIDDescriptor.greatestReport else {
            return false
        }
        let logical = globals.logical.low...max(globals.logical.low, globals.logical.high)
        let hasPhysical = globals.physical.low < globals.physical.high
        // Bit 0: constant, which is padding if it has no usage. Bit 1: one number per usage; if it is 0, the field is
        // an array.
        return descriptor.add(
            HIDDescriptor.Field(
                kind: kind, report: globals.report, offset: 0, size: globals.size, count: globals.count, usages: usages,
                isArray: flags & 2 == 0, logical: logical,
                physical: hasPhysical ? globals.physical.low...globals.physical.high : logical,
                exponent: hasPhysical ? globals.exponent : 0))
    }
}
