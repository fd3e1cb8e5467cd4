/// A head tracker as headphones offer it to Android, seen through a report descriptor: what to ask it and what to tell it.
///
/// source.android.com, "Head tracker HID protocol" 1.0 and 2.0: an application collection 0x20:0xE1 (sensors, other:
/// custom); a description that begins `#AndroidHeadTracker#`, a persistent identity, and three settings that make it
/// send. A pure value, so that all of it is tested without a device.
package struct HIDHeadTracker: Hashable, Sendable {
    private enum Usage {
        static let headTracker: UInt32 = 0x20_00E1
        static let identity: UInt32 = 0x20_0302
        static let description: UInt32 = 0x20_0308
        static let interval: UInt32 = 0x20_030E
        static let reporting: UInt32 = 0x20_0316
        static let power: UInt32 = 0x20_0319
        static let allEvents: UInt32 = 0x20_0841
        static let fullPower: UInt32 = 0x20_0851
    }

    /// The device's reports.
    package let descriptor: HIDReportDescriptor

    /// `nil` unless the descriptor has a head tracker's collection.
    package init?(_ descriptor: HIDReportDescriptor) {
        guard descriptor.applications.contains(Usage.headTracker) else { return nil }
        self.descriptor = descriptor
    }

    /// The numbers of feature reports to be read before anything else, rising.
    package var questions: [UInt8] {
        let wanted = [Usage.identity, Usage.description, Usage.interval, Usage.reporting, Usage.power]
        return Set(wanted.compactMap { descriptor.field(.feature, $0)?.report }).sorted()
    }

    /// Bytes of a feature report, its number included.
    package func byteCount(question: UInt8) -> Int { 1 + descriptor.byteCount(.feature, report: question) }

    /// Whether the answers (feature reports, number first, by number) describe Android's protocol. Devices with no such
    /// description are other custom sensors.
    package func isConfirmed(by answers: [UInt8: [UInt8]]) -> Bool {
        guard let text = string(Usage.description, in: answers) else { return false }
        return text.starts(with: Array("#AndroidHeadTracker#".utf8))
    }

    /// The device's lasting name: its Bluetooth address where it tells that, else its identity in hexadecimal; `nil` where
    /// it has none.
    package func identity(in answers: [UInt8: [UInt8]]) -> String? {
        guard let bytes = string(Usage.identity, in: answers), bytes.contains(where: { $0 != 0 }) else { return nil }
        func hexadecimal(_ bytes: some Sequence<UInt8>, _ separator: String) -> String {
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: separator)
        }
        // Eight zeros, then "BT" and the address, or "LE" and its.
        if bytes.count == 16, bytes[..<8].allSatisfy({ $0 == 0 }), bytes[8...9].elementsEqual("BT".utf8) {
            return hexadecimal(bytes[10...], ":")
        }
        return hexadecimal(bytes, "")
    }

    /// The feature reports that make it send, as often as it can: full power, all events, the shortest interval. Made
    /// from the answers, so that other settings in the same reports stay.
    package func settings(after answers: [UInt8: [UInt8]]) -> [[UInt8]] {
        var reports: [UInt8: [UInt8]] = [:]
        func set(_ usage: UInt32, _ number: (HIDReportDescriptor.Field) -> Int?) {
            guard let field = descriptor.field(.feature, usage), let number = number(field) else { return }
            let size = descriptor.byteCount(.feature, report: field.report)
            var body = reports[field.report] ?? answers[field.report].map { Array($0.dropFirst()) } ?? []
            body = Array((body + Array(repeating: 0, count: size)).prefix(size))
            if field.write(number, to: &body) { reports[field.report] = body }
        }
        func select(_ usage: UInt32) -> (HIDReportDescriptor.Field) -> Int? {
            { field in field.usages.firstIndex(of: usage).map { field.logicalMinimum + $0 } }
        }
        set(Usage.interval) { $0.logicalMinimum }
        set(Usage.power, select(Usage.fullPower))
        set(Usage.reporting, select(Usage.allEvents))
        return reports.sorted { $0.key < $1.key }.map { [$0.key] + $0.value }
    }

    private func string(_ usage: UInt32, in answers: [UInt8: [UInt8]]) -> [UInt8]? {
        guard let field = descriptor.field(.feature, usage), let answer = answers[field.report] else { return nil }
        let body = answer.dropFirst()
        let numbers = (0..<field.count).compactMap { field.number($0, in: body) }
        guard numbers.count == field.count else { return nil }
        return numbers.map { UInt8(truncatingIfNeeded: $0) }
    }
}
