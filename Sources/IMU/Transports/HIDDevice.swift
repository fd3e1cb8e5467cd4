import CDevices
import Foundation

/// A HID device: `/dev/hidrawN`, or the first device that is a head tracker.
///
/// `HIDPort` performs the three ioctls that a device needs. `AndroidHeadTracker` defines the content of the reports.
package struct HIDDevice: TrackerDevice {
    private let path: String?
    private let search: HIDSearch
    private let connect: @Sendable (String) -> (port: any HIDPort, errno: Int32)

    /// Creates a device that is not open yet. A nil `path` selects the first head tracker.
    package init(path: String?) {
        self.init(path: path, search: HIDSearch()) { path in
            let descriptor = pcd_device_open(path)
            return (RawHIDPort(descriptor: descriptor), max(0, -descriptor))
        }
    }

    /// Creates a device with another search and another way to open, for tests.
    init(
        path: String?, search: HIDSearch,
        connect: @escaping @Sendable (String) -> (port: any HIDPort, errno: Int32)
    ) {
        self.path = path
        self.search = search
        self.connect = connect
    }

    /// Opens the device at `path`, or the first head tracker. Verifies that the device is a head tracker, and starts
    /// its reports. Throws if one of these steps fails.
    package mutating func open() throws(TrackerError) -> OpenDevice {
        guard let path = self.path ?? search.found.first(where: \.isHeadTracker)?.path else {
            throw .noHIDTracker(found: search.found.map { "\($0.path) (\($0.name))" })
        }
        let (port, errno) = connect(path)
        guard errno == 0 else { throw .hidDevice(path: path, step: "open", errno: errno) }
        do throws(TrackerError) {
            return try begin(with: port, path)
        } catch {
            pcd_close(port.descriptor)
            throw error
        }
    }

    /// Verifies that an open device is a head tracker, and starts its reports.
    private func begin(with port: any HIDPort, _ path: String) throws(TrackerError) -> OpenDevice {
        let bytes = try port.reportDescriptor(path)
        guard let tracker = AndroidHeadTracker(descriptor: bytes) else { throw .notAHeadTracker(path: path) }
        func read(_ report: AndroidHeadTracker.FeatureReport) throws(TrackerError) -> [UInt8] {
            try port.feature(report.number, count: report.byteCount, path)
        }
        guard let description = tracker.descriptionReport, tracker.isHeadTracker(try read(description)) else {
            throw .notAHeadTracker(path: path)
        }
        let identity = try tracker.identityReport.map(read).flatMap(tracker.identity)
        for report in tracker.settingReports { try port.setFeature(tracker.enabled(try read(report)), path) }
        return OpenDevice(
            descriptor: port.descriptor, place: identity ?? path, decoder: AndroidHeadTrackerDecoder(tracker))
    }
}

/// The system's operations on an open HID device.
protocol HIDPort: Sendable {
    /// File descriptor of the device. Each read from it returns one report.
    var descriptor: Int32 { get }
    /// Returns the report descriptor.
    func reportDescriptor(_ path: String) throws(TrackerError) -> [UInt8]
    /// Returns a feature report, which begins with its number.
    func feature(_ number: UInt8, count: Int, _ path: String) throws(TrackerError) -> [UInt8]
    /// Sets a feature report, which begins with its number.
    func setFeature(_ report: [UInt8], _ path: String) throws(TrackerError)
}

/// The ioctls of `/dev/hidraw` (Linux, Documentation/hid/hidraw.rst).
private struct RawHIDPort: HIDPort {
    let descriptor: Int32

    func reportDescriptor(_ path: String) throws(TrackerError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(PCD_HID_LIMIT))
        let count = pcd_hid_descriptor(descriptor, &bytes)
        guard count >= 0 else { throw .hidDevice(path: path, step: "query", errno: -count) }
        return Array(bytes.prefix(Int(count)))
    }

    func feature(_ number: UInt8, count: Int, _ path: String) throws(TrackerError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes[0] = number
        let found = pcd_hid_get_feature(descriptor, &bytes, UInt32(count))
        guard found >= 0 else { throw .hidDevice(path: path, step: "query", errno: -found) }
        return Array(bytes.prefix(Int(found)))
    }

    func setFeature(_ report: [UInt8], _ path: String) throws(TrackerError) {
        let result = pcd_hid_set_feature(descriptor, report, UInt32(report.count))
        guard result >= 0 else { throw .hidDevice(path: path, step: "set up", errno: -result) }
    }
}

/// Search for the system's HID devices.
package struct HIDSearch: Sendable {
    /// One HID device.
    package struct Device: Sendable {
        /// Path, such as `/dev/hidraw0`.
        package let path: String
        /// Name of the device from its driver.
        package let name: String
        /// Whether the report descriptor has a head tracker's collection and rotation vector. Such a device is only a
        /// candidate: its description decides (`AndroidHeadTracker`).
        package let isHeadTracker: Bool
    }

    private let classes: String
    private let devices: String

    /// Creates a search. `classes` and `devices` are the system's folders; tests use other folders.
    package init(classes: String = "/sys/class/hidraw", devices: String = "/dev") {
        self.classes = classes
        self.devices = devices
    }

    /// All HID devices, in the order of their numbers.
    package var found: [Device] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: classes)) ?? []
        return names.sorted { ($0.count, $0) < ($1.count, $1) }.map { name in
            let folder = "\(classes)/\(name)/device"
            let lines = (try? String(contentsOfFile: folder + "/uevent", encoding: .utf8)) ?? ""
            let title = lines.split(separator: "\n").first { $0.hasPrefix("HID_NAME=") }?.dropFirst(9)
            let bytes = FileManager.default.contents(atPath: folder + "/report_descriptor").map { Array($0) } ?? []
            return Device(
                path: "\(devices)/\(name)", name: title.map(String.init) ?? "unnamed",
                isHeadTracker: AndroidHeadTracker(descriptor: bytes) != nil)
        }
    }
}
