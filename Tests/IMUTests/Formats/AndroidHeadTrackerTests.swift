import Geometry
import SeededRandom
import Testing

@testable import IMU

@Suite struct AndroidHeadTrackerTests {
    @Test func theUsualDescriptorIsAHeadTracker() throws {
        let tracker = try #require(AndroidHeadTracker(descriptor: AndroidHeadTracker.usualDescriptor))
        #expect(tracker.hasReportNumbers && tracker.rotation.offset == 0 && tracker.rotation.size == 16)
        #expect(tracker.rate?.offset == 48 && tracker.resets?.offset == 96)
        #expect(abs(tracker.rotation.value(32_767) - .pi) < 1e-7 && tracker.rate?.value(32_767) == 32)
        // Description, identity, and a byte of switches with the interval.
        #expect(tracker.descriptionReport == AndroidHeadTracker.FeatureReport(number: 1, byteCount: 1 + 23 + 16 + 1))
        #expect(tracker.settingReports == [AndroidHeadTracker.FeatureReport(number: 1, byteCount: 41)])
    }

    @Test func settingsAreWrittenWithoutTouchingTheRest() throws {
        let tracker = try #require(AndroidHeadTracker(descriptor: AndroidHeadTracker.usualDescriptor))
        let description = Array("#AndroidHeadTracker#1.0".utf8)
        let identity = [UInt8](repeating: 0, count: 8) + Array("BT".utf8) + [1, 2, 3, 4, 5, 0xaf]
        let report = [1] + description + identity + [0]
        #expect(tracker.isHeadTracker(report))
        #expect(tracker.identity(in: report) == "android 0000000000000000425401020304" + "05af")
        let enabled = tracker.enabled(report, interval: 0.01)
        #expect(enabled.dropLast() == report.dropLast())
        // Bits from the lowest on: all events, full power, six bits of interval, whose least value is 10 ms.
        #expect(enabled.last == 0b0000_0011)
        #expect(tracker.enabled(report, interval: 0.1).last == 0b1111_1111)
        #expect(!tracker.isHeadTracker([1] + [UInt8](repeating: 0x20, count: 40)))
        #expect(!tracker.isHeadTracker([]) && tracker.enabled([]).isEmpty)
    }

    @Test func aResetIsADiscontinuity() {
        var decoder = AndroidHeadTrackerDecoder()
        var output = DecoderOutput()
        var report = Golden.bytes("01 00 00 00 00 ff 3f 00 00 00 00 00 04 00")
        decoder.decode(report, into: &output)
        report[13] = 1
        decoder.decode(report, into: &output)
        #expect(output.readings.count == 3 && output.readings[1].motion == .discontinuity)
        // A report with another number, and one that is cut short, give nothing.
        output = DecoderOutput()
        decoder.decode([2, 0, 0], into: &output)
        #expect(output == DecoderOutput())
        decoder.decode([1, 0, 0], into: &output)
        #expect(output.faults == [.malformed])
    }

    /// A device without report numbers, with values of twelve bits, and with the rate before the rotation.
    @Test func otherLayoutsAreRead() throws {
        let descriptor: [UInt8] = [
            0x05, 0x20, 0x09, 0xe1, 0xa1, 0x01,
            0x0a, 0x45, 0x05, 0x16, 0x00, 0xf8, 0x26, 0xff, 0x07, 0x35, 0xe0, 0x45, 0x20, 0x75, 0x0c, 0x95, 0x03, 0x81,
            0x02,
            0x75, 0x04, 0x95, 0x01, 0x81, 0x03,
            0x0a, 0x44, 0x05, 0x35, 0xfd, 0x45, 0x03, 0x75, 0x0c, 0x95, 0x03, 0x81, 0x02, 0xc0,
        ]
        let tracker = try #require(AndroidHeadTracker(descriptor: descriptor))
        #expect(!tracker.hasReportNumbers && tracker.resets == nil)
        var decoder = AndroidHeadTrackerDecoder(tracker)
        var output = DecoderOutput()
        // Rate 0, 0, 0x400; four bits of padding; rotation 0, 0x100, 0: about Android's y, which is x here.
        decoder.decode([0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x10, 0x00, 0x00], into: &output)
        guard case .orientation(let rotation, let rate) = output.readings.first?.motion else {
            Issue.record("no orientation")
            return
        }
        #expect(abs((rate?.z ?? 0) - 32.0 * (1024 + 0.5) / 2047.5) < 0.02)
        #expect(abs(rotation.quaternion.roll - 3.0 * 256.5 / 2047.5) < 0.01)
    }

    @Test func otherDevicesAreRefused() {
        let mouse: [UInt8] = [0x05, 0x01, 0x09, 0x02, 0xa1, 0x01, 0x09, 0x30, 0x75, 0x08, 0x95, 0x01, 0x81, 0x06, 0xc0]
        #expect(HIDDescriptor(mouse)?.fields.count == 1)
        #expect(AndroidHeadTracker(descriptor: mouse) == nil)
        #expect(AndroidHeadTracker(descriptor: []) == nil)
        // Descriptors that are unbalanced, cut short or absurd are refused.
        #expect(HIDDescriptor(Array(mouse.dropLast())) == nil)
        #expect(HIDDescriptor([0xc0]) == nil)
        let long: [UInt8] = [0xfe, 2, 0, 1, 1]
        #expect(HIDDescriptor(mouse + long) != nil)
        for count in 1...4 { #expect(HIDDescriptor(mouse + long.prefix(count)) == nil) }
        #expect(HIDDescriptor([0x26, 0x00]) == nil)
        #expect(HIDDescriptor([0x77, 0xff, 0xff, 0xff, 0x7f, 0x97, 0xff, 0xff, 0xff, 0x7f, 0x81, 0x02]) == nil)
    }

    /// The device also has media keys: an array with any usage of its page, in a separate report.
    @Test func otherCollectionsDoNoHarm() {
        let keys: [UInt8] = [
            0x05, 0x0c, 0x09, 0x01, 0xa1, 0x01, 0x85, 0x02, 0x15, 0x00, 0x26, 0xff, 0xff, 0x19, 0x00, 0x2a, 0xff, 0xff,
            0x75, 0x10, 0x95, 0x01, 0x81, 0x00, 0xc0,
        ]
        let alone = AndroidHeadTracker(descriptor: AndroidHeadTracker.usualDescriptor)
        for bytes in [keys + AndroidHeadTracker.usualDescriptor, AndroidHeadTracker.usualDescriptor + keys] {
            let tracker = AndroidHeadTracker(descriptor: bytes)
            #expect(tracker?.rotation == alone?.rotation && tracker?.settingReports == alone?.settingReports)
        }
    }

    @Test func anyDescriptorIsReadOrRefused() {
        var random = SplitMix(state: 17)
        var read = 0
        for round in 0..<4000 {
            var bytes = AndroidHeadTracker.usualDescriptor
            for _ in 0..<(round % 8) {
                bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let tracker = AndroidHeadTracker(descriptor: bytes) else { continue }
            read += 1
            var decoder = AndroidHeadTrackerDecoder(tracker)
            var output = DecoderOutput()
            let report = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            decoder.decode([tracker.rotation.report] + report, into: &output)
            #expect(output.readings.allSatisfy { $0.isSound })
            for setting in tracker.settingReports {
                _ = tracker.enabled([setting.number] + [UInt8](repeating: 0, count: min(4096, setting.byteCount - 1)))
            }
        }
        #expect(read > 500)
    }
}
