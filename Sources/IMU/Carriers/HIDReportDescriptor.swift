/// What a HID device says of its reports: where each field lies and what its numbers mean.
///
/// Read from the report descriptor (USB Device Class Definition for Human Interface Devices 1.11, §6.2.2). A pure value;
/// total: a descriptor that ends early or contradicts itself yields `nil`.
package struct HIDReportDescriptor: Hashable, Sendable {
    /// Which way a report goes.
    package enum Kind: Hashable, Sendable {
        case input
        case output
        case feature
    }

    /// Neighbouring numbers of one report that mean the same.
    package struct Field: Hashable, Sendable {
        /// Which way it goes.
        package var kind: Kind
        /// The report's number; 0 where the device has only one, whose bytes then bear no number.
        package var report: UInt8
        /// Page · 65536 + usage: for an array, all it can name; else one for each number (the last for the rest).
        package var usages: [UInt32]
        /// The usage of the collection round it that is nearest, likewise.
        package var collection: UInt32
        /// Numbers name usages by their place (an array) instead of having one each.
        package var isArray: Bool
        /// First bit after the report's number.
        package var bit: Int
        /// Bits of each number, 1…32.
        package var size: Int
        /// How many numbers.
        package var count: Int
        /// Least and greatest number as sent.
        package var logical: (Int, Int) { (logicalMinimum, logicalMaximum) }
        /// What those stand for, in units · 10^exponent; the same numbers where the device does not say.
        package var physical: (Int, Int) {
            physicalMinimum == 0 && physicalMaximum == 0 ? logical : (physicalMinimum, physicalMaximum)
        }
        /// The power of ten of the unit.
        package var exponent: Int

        var logicalMinimum: Int
        var logicalMaximum: Int
        var physicalMinimum: Int
        var physicalMaximum: Int
    }

    /// In the order declared.
    package private(set) var fields: [Field] = []
    /// Usages of the outermost collections.
    package private(set) var applications: [UInt32] = []
    /// Whether each report begins with its number.
    package private(set) var isNumbered = false

    /// Items that are pushed, popped and stay until changed.
    private struct Globals {
        var page: UInt32 = 0
        var logical = (0, 0)
        var physical = (0, 0)
        var exponent = 0
        var size = 0
        var count = 0
        var report: UInt8 = 0
    }

    /// A report of one kind and number.
    private struct Place: Hashable {
        var kind: Kind
        var report: UInt8
    }

    /// Reads a descriptor.
    package init?(_ bytes: [UInt8]) {
        var globals = Globals()
        var stack: [Globals] = []
        var usages: [UInt32] = []
        var range: UInt32?
        var collections: [UInt32] = []
        var ends: [Place: Int] = [:]
        var index = 0
        while index < bytes.count {
            let prefix = bytes[index]
            if prefix == 0xFE {  // a long item, of which none is defined
                guard index + 1 < bytes.count else { return nil }
                index += 3 + Int(bytes[index + 1])
                continue
            }
            let length = [0, 1, 2, 4][Int(prefix & 3)]
            guard index + length < bytes.count else { return nil }
            let data = bytes[index + 1..<index + 1 + length].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let signed =
                switch length {
                case 1: Int(Int8(truncatingIfNeeded: data))
                case 2: Int(Int16(truncatingIfNeeded: data))
                default: Int(Int32(truncatingIfNeeded: data))
                }
            index += 1 + length
            /// A usage of four bytes brings its page along.
            let usage = length == 4 ? data : globals.page << 16 | data
            switch prefix & 0xFC {
            case 0x04: globals.page = data & 0xFFFF
            case 0x14: globals.logical.0 = signed
            // Many devices write 0…255 in one byte: a greatest number below the least is meant without a sign.
            case 0x24: globals.logical.1 = signed < globals.logical.0 ? Int(data) : signed
            case 0x34: globals.physical.0 = signed
            case 0x44: globals.physical.1 = signed < globals.physical.0 ? Int(data) : signed
            // Four bits with a sign; some write it as a whole byte.
            case 0x54: globals.exponent = (0...7).contains(signed) ? signed : signed >= 8 ? signed - 16 : signed
            case 0x74: globals.size = Int(data)
            case 0x94: globals.count = Int(data)
            case 0x84:
                globals.report = UInt8(truncatingIfNeeded: data)
                isNumbered = true
            case 0xA4: stack.append(globals)
            case 0xB4:
                guard let last = stack.popLast() else { return nil }
                globals = last
            case 0x08: usages.append(usage)
            case 0x18: range = usage
            case 0x28:
                guard let first = range, usage >= first, usage - first < 4096 else { return nil }
                usages += Array(first...usage)
                range = nil
            case 0xA0:
                if collections.isEmpty { applications.append(usages.first ?? 0) }
                collections.append(usages.first ?? 0)
                guard collections.count < 64 else { return nil }
                usages = []
            case 0xC0:
                guard collections.popLast() != nil else { return nil }
                usages = []
            case 0x80, 0x90, 0xB0:
                let kind: Kind = prefix & 0xFC == 0x80 ? .input : prefix & 0xFC == 0x90 ? .output : .feature
                let place = Place(kind: kind, report: globals.report)
                let bit = ends[place, default: 0]
                let (size, count) = (globals.size, globals.count)
                guard (0...32).contains(size) || usages.isEmpty, count <= 65_536, size <= 65_536,
                    bit + size * count <= 8 * 65_536
                else { return nil }
                ends[place] = bit + size * count
                if !usages.isEmpty, size > 0 {
                    fields.append(
                        Field(
                            kind: kind, report: globals.report, usages: usages, collection: collections.last ?? 0,
                            isArray: data & 2 == 0, bit: bit, size: size, count: count, exponent: globals.exponent,
                            logicalMinimum: globals.logical.0, logicalMaximum: globals.logical.1,
                            physicalMinimum: globals.physical.0, physicalMaximum: globals.physical.1))
                }
                usages = []
            default: break
            }
            guard fields.count <= 1024, usages.count <= 8192, stack.count <= 64 else { return nil }
        }
        guard collections.isEmpty else { return nil }
        lengths = ends.reduce(into: [:]) { $0[$1.key] = ($1.value + 7) / 8 }
    }

    private var lengths: [Place: Int] = [:]

    /// Bytes of a report, without its number.
    package func byteCount(_ kind: Kind, report: UInt8) -> Int { lengths[Place(kind: kind, report: report)] ?? 0 }

    /// The first field of a kind that has a usage, or lies in a collection of that usage; `page << 16 | usage`.
    package func field(_ kind: Kind, _ usage: UInt32) -> Field? {
        fields.first { $0.kind == kind && ($0.usages.contains(usage) || $0.collection == usage) }
    }
}

extension HIDReportDescriptor.Field {
    /// A number of this field out of a report's bytes (without the report's number); `nil` beyond their end.
    package func number(_ index: Int, in bytes: some RandomAccessCollection<UInt8>) -> Int? {
        let first = bit + index * size
        guard index >= 0, index < count, first + size <= bytes.count * 8 else { return nil }
        var raw: UInt64 = 0
        for offset in 0..<size {
            let place = first + offset
            let byte = bytes[bytes.index(bytes.startIndex, offsetBy: place / 8)]
            if byte >> UInt8(place % 8) & 1 != 0 { raw |= 1 << UInt64(offset) }
        }
        guard logicalMinimum < 0, raw >> UInt64(size - 1) & 1 != 0 else { return Int(raw) }
        return Int(raw) - (1 << size)
    }

    /// What a number as sent stands for, in the field's unit.
    package func value(of number: Int) -> Double {
        let (low, high) = logical
        guard high > low else { return Double(number) }
        var power = 1.0
        for _ in 0..<abs(exponent) { power *= 10 }
        let scale = exponent < 0 ? 1 / power : power
        let (first, last) = physical
        return (Double(first) + Double(number - low) * Double(last - first) / Double(high - low)) * scale
    }

    /// Writes a number into a report's bytes (without the report's number); false beyond their end.
    package func write(_ number: Int, at index: Int = 0, to bytes: inout [UInt8]) -> Bool {
        let first = bit + index * size
        guard index >= 0, index < count, first + size <= bytes.count * 8 else { return false }
        for offset in 0..<size {
            let place = first + offset
            let mask = UInt8(1) << UInt8(place % 8)
            if number >> offset & 1 != 0 { bytes[place / 8] |= mask } else { bytes[place / 8] &= ~mask }
        }
        return true
    }
}
