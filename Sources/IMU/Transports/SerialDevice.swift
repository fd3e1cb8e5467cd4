import CDevices
import Foundation

/// A serial line: a path, or the first line that is plugged in.
package struct SerialDevice: TrackerDevice {
    /// The user's path; `nil` selects the first line found.
    private let path: String?
    /// Baud rates to try, in order, bits per second.
    private let speeds: [Int]
    private var speed = 0
    /// Search for serial lines; tests use another folder.
    private let search: SerialSearch

    /// Creates a line that is not open yet. `speeds`: baud rates to try, at least one.
    package init(path: String?, speeds: [Int], search: SerialSearch = SerialSearch()) {
        self.path = path
        self.speeds = speeds
        self.search = search
    }

    /// Opens the line at `path`, or the first line that is plugged in, at the present baud rate.
    package mutating func open() throws(TrackerError) -> OpenDevice {
        guard let path = self.path ?? search.found.first else { throw .noSerialLine(searched: search.places) }
        let baud = speeds[speed]
        let descriptor = pcd_serial_open(path, UInt32(baud))
        guard descriptor >= 0 else {
            throw .serialLine(path: path, baud: baud, errno: -descriptor, found: search.found)
        }
        return OpenDevice(descriptor: descriptor, place: search.name(of: path))
    }

    /// Sets the open line to the next baud rate, cyclically. Returns false if there is only one.
    package mutating func tryNext(on descriptor: Int32) -> Bool {
        guard speeds.count > 1 else { return false }
        speed = (speed + 1) % speeds.count
        // If the driver does not support a rate, the next call tries the following one.
        _ = pcd_serial_speed(descriptor, UInt32(speeds[speed]))
        return true
    }
}

/// Search for the system's serial lines.
package struct SerialSearch: Sendable {
    /// Folder of names that stay the same when a device is plugged into another USB socket.
    private let byID: String
    private let devices: String

    /// Creates a search. `root`: `/dev`, or another folder in tests.
    package init(root: String = "/dev") {
        byID = root + "/serial/by-id"
        devices = root
    }

    /// Patterns of the searched paths, for messages.
    package var places: [String] { [byID + "/*", devices + "/ttyACM*", devices + "/ttyUSB*"] }

    /// Paths of the lines that are plugged in, lasting names first, each device once.
    package var found: [String] {
        let lasting = entries(of: byID).map { byID + "/" + $0 }
        let targets = Set(lasting.compactMap(Self.target))
        let others = entries(of: devices).filter { $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB") }
            .map { devices + "/" + $0 }.filter { !targets.contains(Self.target($0) ?? $0) }
        return lasting + others.sorted { ($0.count, $0) < ($1.count, $1) }
    }

    /// Returns the lasting name of a line: the name in by-id that links to the same device, or else the path itself.
    package func name(of path: String) -> String {
        guard let device = Self.target(path) else { return path }
        return entries(of: byID).first { Self.target(byID + "/" + $0) == device } ?? path
    }

    private func entries(of folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    private static func target(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
