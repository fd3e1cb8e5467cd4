import CDevices
import Foundation

/// A serial line: a path, or whichever is plugged in.
package struct SerialDevice: TrackerDevice {
    /// The path the user gave; `nil`: the first found.
    private let path: String?
    /// Bits per second to try, in order.
    private let speeds: [Int]
    private var speed = 0
    /// Where serial lines appear; another place in tests.
    private let search: SerialSearch

    /// A line that is not open yet. `speeds`: at least one.
    package init(path: String?, speeds: [Int], search: SerialSearch = SerialSearch()) {
        self.path = path
        self.speeds = speeds
        self.search = search
    }

    /// Opens the line named, or the first that is plugged in, at the speed whose turn it is.
    package mutating func open() throws(TrackerError) -> OpenDevice {
        guard let path = self.path ?? search.found.first else { throw .noSerialLine(searched: search.places) }
        let baud = speeds[speed]
        let descriptor = pcd_serial_open(path, UInt32(baud))
        guard descriptor >= 0 else {
            throw .serialLine(path: path, baud: baud, errno: -descriptor, found: search.found)
        }
        return OpenDevice(descriptor: descriptor, place: search.name(of: path))
    }

    /// Sets the open line to the next speed, round and round; false where there is one only.
    package mutating func tryNext(on descriptor: Int32) -> Bool {
        guard speeds.count > 1 else { return false }
        speed = (speed + 1) % speeds.count
        // A driver that cannot do this speed is asked for the one after it in its turn.
        _ = pcd_serial_speed(descriptor, UInt32(speeds[speed]))
        return true
    }
}

/// Where the system lists its serial lines.
package struct SerialSearch: Sendable {
    /// The folder whose entries keep their names when a device is plugged in elsewhere.
    private let byID: String
    private let devices: String

    /// `root`: `/dev`, or another folder in tests.
    package init(root: String = "/dev") {
        byID = root + "/serial/by-id"
        devices = root
    }

    /// What is searched, for people.
    package var places: [String] { [byID + "/*", devices + "/ttyACM*", devices + "/ttyUSB*"] }

    /// Paths of the lines that are plugged in, those with lasting names first; each device once.
    package var found: [String] {
        let lasting = entries(of: byID).map { byID + "/" + $0 }
        let targets = Set(lasting.compactMap(Self.target))
        let others = entries(of: devices).filter { $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB") }
            .map { devices + "/" + $0 }.filter { !targets.contains(Self.target($0) ?? $0) }
        return lasting + others.sorted { ($0.count, $0) < ($1.count, $1) }
    }

    /// The lasting name of a line: the name below by-id that leads to the same device, else the path itself.
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
