import Gate

/// Headphones with Android's head tracker HID protocol 1.0 or 2.0 (source.android.com, "Head tracker HID protocol"):
/// the fields of the reports, and the settings that start the reports.
package struct AndroidHeadTracker: Hashable, Sendable {
    /// Usages of the sensor page.
    private enum Usage {
        static let otherCustom: UInt32 = 0x0020_00e1
        static let persistentIdentity: UInt32 = 0x0020_0302
        static let description: UInt32 = 0x0020_0308
        static let reportInterval: UInt32 = 0x0020_030e
        static let allEvents: UInt32 = 0x0020_0841
        static let fullPower: UInt32 = 0x0020_0851
        static let rotationVector: UInt32 = 0x0020_0544
        static let angularVelocity: UInt32 = 0x0020_0545
        static let resets: UInt32 = 0x0020_0546
    }

    /// Prefix of the description of every device of this protocol.
    static let mark = "#AndroidHeadTracker#"

    /// Field of the rotation vector: three numbers, radians.
    let rotation: HIDDescriptor.Field
    /// Field of the angular velocity: three numbers, rad/s; nil if there is none.
    let rate: HIDDescriptor.Field?
    /// Field that counts the resets of the reference; nil if there is none.
    let resets: HIDDescriptor.Field?
    /// Whether reports begin with their number.
    package let hasReportNumbers: Bool
    private let descriptor: HIDDescriptor

    /// Reads a report descriptor; `nil` if it is faulty or the device is not a sensor of this kind. Other sensors have
    /// the same usages, so the description must also be read from the device (`isHeadTracker(_:)`).
    package init?(descriptor bytes: [UInt8]) {
        guard let descriptor = HIDDescriptor(bytes), descriptor.collections.contains(Usage.otherCustom),
            let rotation = descriptor.field(.input, usage: Usage.rotationVector), rotation.count == 3
        else { return nil }
        self.descriptor = descriptor
        self.rotation = rotation
        rate = descriptor.field(.input, usage: Usage.angularVelocity).flatMap { $0.count == 3 ? $0 : nil }
        resets = descriptor.field(.input, usage: Usage.resets)
        hasReportNumbers = descriptor.fields.contains { $0.report != 0 }
    }

    /// A feature report of the device.
    package struct FeatureReport: Hashable, Sendable {
        /// Number of the report; 0 for a device without report numbers.
        package let number: UInt8
        /// Length in bytes, including the leading number that `HIDIOCGFEATURE` and `HIDIOCSFEATURE` use.
        package let byteCount: Int
    }

    /// Report that contains the description; `nil` if the device has none.
    package var descriptionReport: FeatureReport? { report(of: Usage.description) }

    /// Reports that start the stream: they must be read, changed by `enabled(_:interval:)` and written back.
    package var settingReports: [FeatureReport] {
        var reports: [FeatureReport] = []
        for usage in [Usage.reportInterval, Usage.fullPower, Usage.allEvents] {
            if let report = report(of: usage), !reports.contains(report) { reports.append(report) }
        }
        return reports
    }

    private func report(of usage: UInt32) -> FeatureReport? {
        descriptor.field(.feature, usage: usage).map {
            FeatureReport(number: $0.report, byteCount: 1 + descriptor.byteCount(.feature, $0.report))
        }
    }

    /// Returns whether a description report, with its leading number, describes a head tracker.
    package func isHeadTracker(_ report: [UInt8]) -> Bool {
        text(Usage.description, in: report)?.hasPrefix(Self.mark) ?? false
    }

    /// Returns the device's identity in hexadecimal from its identity report, with the leading number. Nil if the
    /// report contains no identity or only zeros.
    package func identity(in report: [UInt8]) -> String? {
        guard let numbers = numbers(Usage.persistentIdentity, in: report), numbers.contains(where: { $0 != 0 }) else {
            return nil
        }
        let digits = numbers.map { number in
            let text = String(number & 0xff, radix: 16)
            return text.utf8.count == 1 ? "0" + text : text
        }
        return "android " + digits.joined()
    }

    /// Report that contains the identity; `nil` if the device has none.
    package var identityReport: FeatureReport? { report(of: Usage.persistentIdentity) }

    /// Returns a changed setting report: the device then reports all events, at full power, at the interval nearest to
    /// `interval` seconds. `report`: the report as it was read, with its leading number.
    package func enabled(_ report: [UInt8], interval: Double = 0.01) -> [UInt8] {
        guard let number = report.first else { return report }
        var content = Array(report.dropFirst())
        for usage in [Usage.allEvents, Usage.fullPower] {
            guard let field = descriptor.field(.feature, usage: usage), field.report == number else { continue }
            if field.isArray, let index = field.usages.firstIndex(of: usage) {
                field.write(field.logical.lowerBound + index, into: &content)
            } else if let index = field.usages.firstIndex(of: usage) {
                field.write(1, at: index, into: &content)
            }
        }
        if let field = descriptor.field(.feature, usage: Usage.reportInterval), field.report == number {
            field.write(Self.number(field, nearest: interval), into: &content)
        }
        return [number] + content
    }

    /// Returns the logical number of a field whose physical value is nearest to `value`.
    private static func number(_ field: HIDDescriptor.Field, nearest value: Double) -> Int {
        let low = field.value(field.logical.lowerBound)
        let high = field.value(field.logical.upperBound)
        guard high > low else { return field.logical.lowerBound }
        let share = max(0, min(1, (value - low) / (high - low)))
        let span = Double(field.logical.upperBound - field.logical.lowerBound)
        return field.logical.lowerBound + Int(clamping: share * span, to: 0...Int(UInt32.max))
    }

    private func numbers(_ usage: UInt32, in report: [UInt8]) -> [Int]? {
        guard let field = descriptor.field(.feature, usage: usage), report.first == field.report else { return nil }
        return field.numbers(in: report[...].dropFirst())
    }

    private func text(_ usage: UInt32, in report: [UInt8]) -> String? {
        numbers(usage, in: report).map { String(decoding: $0.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self) }
    }

    /// Descriptor equivalent to the example in the protocol's document: report 1, thirteen bytes of input, ±π rad and
    /// ±32 rad/s as ±32767. Used if the device's own descriptor is not available.
    package static let usualDescriptor: [UInt8] = [
        0x05, 0x20, 0x0a, 0xe1, 0x00, 0xa1, 0x01, 0x85, 0x01,  // Sensor page, other: custom, application, report 1
        0x0a, 0x08, 0x03, 0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08, 0x95, 0x17, 0xb1, 0x03,  // description, 23 bytes
        0x0a, 0x02, 0x03, 0x95, 0x10, 0xb1, 0x03,  // persistent identity, 16 bytes
        0x0a, 0x16, 0x03, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01, 0xa1, 0x02,  // reporting state: one bit
        0x0a, 0x40, 0x08, 0x0a, 0x41, 0x08, 0xb1, 0x00, 0xc0,  // no events, all events
        0x0a, 0x19, 0x03, 0xa1, 0x02, 0x0a, 0x55, 0x08, 0x0a, 0x51, 0x08, 0xb1, 0x00, 0xc0,  // power: off, full
        0x0a, 0x0e, 0x03, 0x15, 0x00, 0x25, 0x3f, 0x35, 0x0a, 0x45, 0x64, 0x66, 0x01, 0x10, 0x55, 0x0d,
        0x75, 0x06, 0x95, 0x01, 0xb1, 0x02,  // interval: six bits for 10…100 ms
        0x0a, 0x44, 0x05, 0x16, 0x01, 0x80, 0x26, 0xff, 0x7f,  // rotation vector, ±32767 for
        0x37, 0x5f, 0x4f, 0x46, 0xed, 0x47, 0xa1, 0xb0, 0xb9, 0x12, 0x55, 0x08,  // ±314159265 · 10⁻⁸ rad
        0x75, 0x10, 0x95, 0x03, 0x81, 0x02,
        0x0a, 0x45, 0x05, 0x35, 0xe0, 0x45, 0x20, 0x55, 0x00, 0x81, 0x02,  // angular velocity, ±32 rad/s
        0x0a, 0x46, 0x05, 0x15, 0x00, 0x26, 0xff, 0x00, 0x35, 0x00, 0x45, 0x00, 0x75, 0x08, 0x95, 0x01, 0x81, 0x02,
        0xc0,
    ]
}
