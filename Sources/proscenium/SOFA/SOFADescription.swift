import Foundation
import Geometry
import SOFA

/// Description of a file for `sofa info`, as text and as JSON. Responses are read only if their levels are requested.
struct SOFADescription: Sendable {
    let path: String
    /// Title of a drawing of the file.
    let title: String
    /// The description as text.
    let text: String
    /// The description as an object of JSON.
    let entry: [String: any Sendable]
    /// Directions in the file; nil without any.
    let grid: GridPlot?
    /// Reasons why the file is unusable, as far as the data read show them; one sentence each.
    let faults: [String]

    /// Loads attributes and positions; with `levels` also the levels of the responses.
    init(_ inspection: SOFAInspection, levels: Bool) async throws(SOFAError) {
        let summary = try await SOFASummary(inspection)
        var loudness: Result<SOFALevels, SOFAError>?
        if levels {
            do throws(SOFAError) { loudness = .success(try await inspection.levels.load()) } catch {
                loudness = .failure(error)
            }
        }
        if summary.isRoom {
            self.init(try BinauralRoom(contentsOf: inspection.path), loudness)
        } else {
            self.init(summary, loudness)
        }
    }

    private init(_ summary: SOFASummary, _ loudness: Result<SOFALevels, SOFAError>?) {
        var lines = SOFADescription.head(summary.path, summary.attributes)
        var entry: [String: any Sendable] = ["file": summary.path, "attributes": summary.attributes]
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
        let places = summary.places.value
        if let order = places?.harmonicOrder {
            lines.append(("grid", "spherical harmonics of order \(order)"))
            entry["harmonic_order"] = order
        }
        var grid: GridPlot?
        if let places, !places.directions.isEmpty {
            let elevations = places.directions.map { $0.elevation * 180 / .pi }
            let rings = Set(elevations.map { Int($0.rounded()) }).count
            lines.append(
                (
                    "grid",
                    "\(places.directions.count) directions at \(rings) elevation\(rings == 1 ? "" : "s"), "
                        + SOFADescription.range(elevations) + "°"
                ))
            entry["directions"] = places.directions.count
            entry["elevation_deg"] = [elevations.min() ?? 0, elevations.max() ?? 0]
            grid = GridPlot(directions: places.directions, distances: places.distances)
        }
        if let distances = places?.distances {
            lines.append(("distance", SOFADescription.range(distances) + " m"))
            entry["distance_m"] = [distances.min() ?? 0, distances.max() ?? 0]
        }
        if let delays = summary.delays.value {
            lines.append(("delay", SOFADescription.range([delays.lowerBound, delays.upperBound]) + " samples"))
            entry["delay_samples"] = [delays.lowerBound, delays.upperBound]
        }
        let errors = [summary.shape.error, summary.sampleRate.error, summary.places.error, summary.delays.error]
        // An error that affects several values is listed once.
        var faults: [String] = []
        for error in errors { if let reason = error?.reason, !faults.contains(reason) { faults.append(reason) } }
        if case .other = summary.convention.purpose { faults = [] }
        entry["remarks"] = summary.remarks
        if !faults.isEmpty { entry["faults"] = faults }
        SOFADescription.add(loudness, to: &lines, &entry, &faults)
        let name = summary.attributes["DatabaseName"] ?? summary.attributes["Title"] ?? ""
        self.init(summary.path, name, lines, notes: summary.remarks, entry, faults, grid)
    }

    private init(_ room: BinauralRoom, _ loudness: Result<SOFALevels, SOFAError>?) {
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
        var entry: [String: any Sendable] = [
            "file": room.path, "attributes": room.attributes, "rate_hz": room.sampleRate,
            "measurements": room.measurements.count, "emitters": room.emitterCount, "receivers": 2,
            "samples": room.sampleCount, "head_yaw_deg": Set(room.measurements.map { $0.yaw * 180 / .pi }).sorted(),
            "distance_m": [distances.min() ?? 0, distances.max() ?? 0], "remarks": room.remarks,
        ]
        var faults: [String] = []
        SOFADescription.add(loudness, to: &lines, &entry, &faults)
        // Directions of the loudspeakers relative to the turned head.
        let seen = room.measurements.flatMap { measurement in
            measurement.offsets.map { offset -> Direction<Head> in
                let (c, s) = (cos(measurement.yaw), sin(measurement.yaw))
                let turned = SIMD3(c * offset.x + s * offset.y, c * offset.y - s * offset.x, offset.z)
                return Direction(unit: turned / max(1e-9, (turned * turned).sum().squareRoot()))
            }
        }
        self.init(
            room.path, room.attribute("Title") ?? "", lines, notes: room.remarks, entry, faults,
            GridPlot(directions: seen, distances: distances))
    }

    /// Adds the levels of the responses, or the error that prevented their reading; nil adds nothing.
    private static func add(
        _ loudness: Result<SOFALevels, SOFAError>?, to lines: inout [(String, String)],
        _ entry: inout [String: any Sendable], _ faults: inout [String]
    ) {
        switch loudness {
        case nil: break
        case .failure(let error): if !faults.contains(error.reason) { faults.append(error.reason) }
        case .success(let levels):
            let peaks = levels.peaks.map { 20 * log10(max($0, 1e-15)) }
            let means = levels.energies.map(SOFALevels.decibels)
            let (low, high) = (
                SOFALevels.decibels(levels.range.lowerBound), SOFALevels.decibels(levels.range.upperBound)
            )
            lines.append(("peak", String(format: "%.1f dB left, %.1f dB right", peaks[0], peaks[1])))
            lines.append(
                (
                    "energy",
                    String(
                        format: "%.1f dB left, %.1f dB right; %.1f…%.1f dB over measurements", means[0], means[1], low,
                        high)
                ))
            entry["peak_db"] = peaks
            entry["energy_db"] = means
            entry["energy_range_db"] = [low, high]
        }
    }

    private init(
        _ path: String, _ name: String, _ lines: [(String, String)], notes: [String], _ entry: [String: any Sendable],
        _ faults: [String], _ grid: GridPlot?
    ) {
        let file = URL(fileURLWithPath: path).lastPathComponent
        title = String((name.isEmpty ? file : "\(name): \(file)").prefix(100))
        (self.path, self.grid) = (path, grid)
        let rows = lines.map { "  " + $0.0.padding(toLength: 18, withPad: " ", startingAt: 0) + $0.1 }
        text = ([path] + rows + notes.map { "  note: \($0)" }).joined(separator: "\n")
        (self.entry, self.faults) = (entry, faults)
    }

    /// Returns the attributes of interest to users, each with its label.
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
