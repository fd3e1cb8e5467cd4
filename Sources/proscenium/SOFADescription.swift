import Foundation
import Geometry
import SOFA

/// What `sofa info` says of a file, in words and in JSON; no responses are read.
struct SOFADescription {
    /// For people.
    let text: String
    /// For programs.
    let entry: [String: Any]
    /// What makes the file unusable, as far as can be told without its responses; one sentence each.
    let faults: [String]

    /// Reads attributes and positions.
    init(_ path: String) throws(SOFAError) {
        let summary = try SOFASummary(contentsOf: path)
        if summary.convention.purpose == .room {
            self.init(try BinauralRoom(contentsOf: path))
        } else {
            self.init(summary)
        }
    }

    private init(_ summary: SOFASummary) {
        var lines = SOFADescription.head(summary.path, summary.attributes)
        var entry: [String: Any] = ["file": summary.path, "attributes": summary.attributes]
        lines.append(("convention", SOFADescription.convention(summary.attributes, summary.dataType)))
        let isHead = summary.convention.purpose == .head
        switch summary.convention.purpose {
        case .head: lines.append(("use", "a head in a free field: --hrtf"))
        case .headphones: lines.append(("use", "a headphone, to be equalised"))
        case .room: break
        case .other(let words): lines.append(("use", "none here: \(words)"))
        }
        if let shape = summary.shape.value {
            let unit =
                summary.dataType.hasPrefix("TF")
                ? "frequencies" : summary.dataType == "SOS" ? "coefficients" : "samples"
            let emitters = shape.count > 3 ? " × \(shape[3]) emitters" : ""
            let rows = isHead ? "" : summary.convention.purpose == .headphones ? " refits" : ""
            lines.append(("responses", "\(shape[0])\(rows) × \(shape[1]) ears × \(shape[2]) \(unit)\(emitters)"))
            entry["measurements"] = shape[0]
            entry["receivers"] = shape[1]
            entry[unit] = shape[2]
            if shape.count > 3 { entry["emitters"] = shape[3] }
        }
        if let rate = summary.sampleRate.value {
            lines.append(("rate", SOFADescription.number(rate) + " Hz"))
            entry["rate_hz"] = rate
        }
        if let order = summary.harmonicOrder {
            lines.append(("grid", "spherical harmonics of order \(order)"))
            entry["harmonic_order"] = order
        }
        if let directions = summary.directions.value {
            let elevations = directions.map { $0.elevation * 180 / .pi }
            let rings = Set(elevations.map { Int($0.rounded()) }).count
            lines.append(
                (
                    "grid",
                    "\(directions.count) directions at \(rings) elevation\(rings == 1 ? "" : "s"), "
                        + SOFADescription.range(elevations) + "°"
                ))
            entry["directions"] = directions.count
            entry["elevation_deg"] = [elevations.min() ?? 0, elevations.max() ?? 0]
        }
        if let distances = summary.distances.value {
            lines.append(("distance", SOFADescription.range(distances) + " m"))
            entry["distance_m"] = [distances.min() ?? 0, distances.max() ?? 0]
        }
        if let delays = summary.delays.value {
            lines.append(("delay", SOFADescription.range([delays.lowerBound, delays.upperBound]) + " samples"))
            entry["delay_samples"] = [delays.lowerBound, delays.upperBound]
        }
        var faults = [summary.shape.error, summary.sampleRate.error, summary.directions.error, summary.delays.error]
            .compactMap { $0?.reason }
        if case .other = summary.convention.purpose { faults = [] }
        entry["remarks"] = summary.remarks
        if !faults.isEmpty { entry["faults"] = faults }
        self.init(summary.path, lines, notes: summary.remarks, entry, faults)
    }

    private init(_ room: BinauralRoom) {
        var lines = SOFADescription.head(room.path, room.attributes)
        let type = room.attribute("DataType") ?? ""
        lines.append(("convention", SOFADescription.convention(room.attributes, type)))
        lines.append(("use", "a room: play it with --room, see 'proscenium room info'"))
        lines.append(
            (
                "responses",
                "\(room.measurements.count) × \(room.emitterCount) loudspeaker\(room.emitterCount == 1 ? "" : "s") × 2 ears × "
                    + "\(room.sampleCount) samples"
            ))
        lines.append(("rate", SOFADescription.number(room.sampleRate) + " Hz"))
        lines.append(("length", SOFADescription.number(Double(room.sampleCount) / room.sampleRate) + " s"))
        let yaws = Set(room.measurements.map { ($0.yaw * 1800 / .pi).rounded() / 10 }).sorted()
        lines.append(("head yaws", "\(yaws.count): \(SOFADescription.range(yaws))°"))
        let distances = room.measurements.flatMap { $0.offsets.map { ($0 * $0).sum().squareRoot() } }
        lines.append(("distance", SOFADescription.range(distances) + " m"))
        let entry: [String: Any] = [
            "file": room.path, "attributes": room.attributes, "rate_hz": room.sampleRate,
            "measurements": room.measurements.count, "emitters": room.emitterCount, "receivers": 2,
            "samples": room.sampleCount, "head_yaw_deg": Set(room.measurements.map { $0.yaw * 180 / .pi }).sorted(),
            "distance_m": [distances.min() ?? 0, distances.max() ?? 0], "remarks": room.remarks,
        ]
        self.init(room.path, lines, notes: room.remarks, entry, [])
    }

    private init(
        _ path: String, _ lines: [(String, String)], notes: [String], _ entry: [String: Any], _ faults: [String]
    ) {
        let rows = lines.map { "  " + $0.0.padding(toLength: 18, withPad: " ", startingAt: 0) + $0.1 }
        text = ([path] + rows + notes.map { "  note: \($0)" }).joined(separator: "\n")
        (self.entry, self.faults) = (entry, faults)
    }

    /// The attributes that people look for.
    private static func head(_ path: String, _ attributes: [String: String]) -> [(String, String)] {
        let names = [
            ("Title", "title"), ("DatabaseName", "database"), ("ListenerShortName", "listener"),
            ("SourceManufacturer", "maker"), ("SourceModel", "model"), ("RoomType", "room"),
            ("RoomShortName", "room name"), ("RoomDescription", "room description"), ("License", "licence"),
            ("References", "citation"), ("Organization", "organisation"), ("AuthorContact", "contact"),
        ]
        return names.compactMap { key, word in
            guard let value = attributes[key], !value.isEmpty else { return nil }
            return (word, String(value.prefix(300)))
        }
    }

    private static func convention(_ attributes: [String: String], _ type: String) -> String {
        let version = attributes["SOFAConventionsVersion"].map { " \($0)" } ?? ""
        let standard = attributes["Version"].map { " (SOFA \($0))" } ?? ""
        return (attributes["SOFAConventions"] ?? "") + version + standard + (type.isEmpty ? "" : ", \(type)")
    }

    private static func number(_ value: Double) -> String { String(format: "%.6g", value) }

    private static func range(_ values: [Double]) -> String {
        let text = [values.min() ?? 0, values.max() ?? 0].map { String(format: "%.4g", $0) }
        return text[0] == text[1] ? text[0] : "\(text[0])…\(text[1])"
    }
}
