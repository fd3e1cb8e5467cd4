import ArgumentParser
import Foundation
import Geometry
import IMU
import Session
import Trackers

/// `proscenium tracker list`: lists the known formats and the attached devices.
struct TrackerListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the known formats, how trackers are named, and the trackers that are plugged in.",
        discussion: """
            Example:
              proscenium tracker list
            """)

    @Flag(help: "One JSON object.") var json = false

    func run() throws {
        let serial = SerialSearch().found
        let devices = HIDSearch().found
        let midi = JACKMIDITransport.sources()
        let memory = TrackerMemory()
        let known = memory.entries { say("proscenium: \($0)") }
        if json { return try JSONText.print(object(serial, devices, midi, known)) }
        print("Formats:")
        for format in TrackerFormat.all {
            print("  " + format.name.padding(toLength: 16, withPad: " ", startingAt: 0) + format.title)
            print("  " + String(repeating: " ", count: 16) + Self.transports(format) + "; " + format.remark)
        }
        print("\nA tracker is named by:")
        for form in TrackerSpecification.forms { print("  \(form)") }
        print("  A UDP format without a port uses its usual port: slimevr is slimevr:6969.")
        print("  Options, each after a comma: " + TrackerSpecification.options.joined(separator: ", "))
        print("\nPlugged in:")
        for path in serial { print("  serial:\(path)") }
        for device in devices {
            print(
                "  hid:\(device.path)  \(device.name)"
                    + (device.isHeadTracker ? ", a head tracker" : ", not a head tracker"))
        }
        for port in midi ?? [] { print("  midi:'\(port)'") }
        if serial.isEmpty, devices.isEmpty, midi?.isEmpty ?? true { print("  no tracker by serial line, HID or MIDI") }
        if midi == nil { print("  (no JACK server runs: MIDI is not listed)") }
        if !known.isEmpty {
            print("\nStored (\(memory.path)):")
            for (id, entry) in known.sorted(by: { $0.key < $1.key }) { print("  \(id): \(Self.words(entry))") }
        }
    }

    private static func transports(_ format: TrackerFormat) -> String {
        format.transports.map { transport in
            switch transport {
            case .udp(let port): "UDP \(port)"
            case .serial(let baud): "serial \(baud)"
            case .midi: "MIDI"
            case .hid: "HID"
            }
        }.joined(separator: ", ")
    }

    private static func words(_ entry: TrackerMemory.Entry) -> String {
        var words: [String] = []
        if let q = entry.rotation?.quaternion {
            words.append(
                String(
                    format: "mounted at %.0f/%.0f/%.0f (yaw/pitch/roll, degrees)", q.yaw * 180 / .pi,
                    q.pitch * 180 / .pi, q.roll * 180 / .pi))
        }
        if let bias = entry.bias {
            let value = bias.radiansPerSecond.map { String(format: "%+.2f", $0 * 180 / .pi) }.joined(separator: " ")
            let day = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: bias.measured))
            words.append("bias \(value) °/s on \(day)")
        }
        return words.joined(separator: ", ")
    }

    private func object(
        _ serial: [String], _ devices: [HIDSearch.Device], _ midi: [String]?, _ known: [String: TrackerMemory.Entry]
    ) -> [String: Any] {
        var object: [String: Any] = [
            "formats": TrackerFormat.all.map { format -> [String: Any] in
                var row: [String: Any] = ["name": format.name, "title": format.title, "remark": format.remark]
                if let port = format.port { row["port"] = port }
                if let baud = format.baud { row["baud"] = baud }
                row["midi"] = format.transports.contains(.midi)
                row["hid"] = format.transports.contains(.hid)
                return row
            },
            "forms": TrackerSpecification.forms, "options": TrackerSpecification.options, "serial": serial,
            "hid": devices.map {
                ["path": $0.path, "name": $0.name, "headTracker": $0.isHeadTracker] as [String: Any]
            },
            "remembered": known.keys.sorted(),
        ]
        if let midi { object["midi"] = midi }
        return object
    }
}
