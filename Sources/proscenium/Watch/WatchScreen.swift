import Desk
import Foundation
import Gate
import Metering
import Session
import Stages

/// A session as a screen of text: head and trackers at the left, levels at the right, load, remarks and keys below. The
/// same values give the same rows.
struct WatchScreen {
    let status: SessionStatus
    /// Geometry of the stage; nil if the session reports none.
    var picture: StagePicture?
    /// Latest remark, for instance a refusal, for the row above the keys; nil without one.
    var remark: String?
    let style: TerminalStyle
    let columns: Int
    let rows: Int

    /// Smallest size at which all parts have room.
    static let least = (columns: 80, rows: 24)

    /// Rows from the top, at most `rows`, each at most `columns` wide.
    var lines: [TextRow] {
        let left = rose + [TextRow()] + tracking
        let right = levels(rows: rows - 6)
        let middle = max(30, min(46, columns / 2 - 8))
        var body: [TextRow] = []
        for index in 0..<max(left.count, right.count) {
            var row = index < left.count ? left[index] : TextRow()
            if index < right.count { row.add(right[index], at: middle) }
            body.append(row)
        }
        let foot = [TextRow(), state, TextRow(remark ?? playback, remark == nil ? playbackInk : .bad), keys]
        let room = max(0, rows - 2 - foot.count)
        if body.count < room { body += Array(repeating: TextRow(), count: room - body.count) }
        return ([head, TextRow()] + body.prefix(room) + foot).prefix(rows).map { row in
            row.mapped { style.plain($0) }.cut(to: columns)
        }
    }

    // MARK: - At the top and the bottom

    private var head: TextRow {
        var row = TextRow(status.client, .bold)
        let facts = [
            status.layout, status.hrtf, status.room.map { $0.isOn ? "room" : "dry" },
            String(format: "%g kHz, %d", status.sampleRate / 1000, status.period),
        ]
        row.add("  " + facts.compactMap(\.self).joined(separator: " · "))
        if let gone = status.serverGoneFor { row.add(String(format: "  JACK GONE for %.0f s", gone), .bad) }
        return row
    }

    /// Load, recording, monitor section, xruns and scene. In a terminal that is too narrow for the row, a short form
    /// lacks the bar, and what changes the sound at the ears, such as DIM, precedes the counts. Its end is cut off.
    private var state: TextRow {
        let load = status.loadMean ?? status.load
        let begin = TextRow(String(format: "load %4.1f %%", load * 100))
        var counts = TextRow(status.loadMaximum.map { String(format: " max %.1f %%", $0 * 100) } ?? "")
        counts.add("  xruns \(status.xruns)  skipped \(status.skippedFrames)", status.xruns > 0 ? .warn : nil)
        if let scene = status.scene { counts.add("  scene \(scene)") }
        var events = TextRow()
        if let take = StatusText.take(status) { events.add("  " + take, .bad) }
        if let warning = StatusText.recordingWarning(status) { events.add("  " + warning, .bad) }
        if let words = status.monitor.words { events.add("  " + words, .warn) }
        var row = begin
        row.add(" ")
        row.add(bar(load, width: 12), load > 0.7 ? .bad : .good)
        row.add(counts)
        row.add(events)
        guard row.width > columns else { return row }
        row = begin
        row.add(events)
        row.add(counts)
        return row
    }

    private var playback: String {
        let ports = status.playback.left + status.playback.right
        return StatusText.warning(status.playback)
            ?? (ports.isEmpty ? "the ears are not connected" : "plays to \(ports.joined(separator: ", "))")
    }
    private var playbackInk: TerminalStyle.Ink? { StatusText.warning(status.playback) == nil ? .faint : .bad }

    private var keys: TextRow {
        TextRow(
            "space recentre  + - level  D dim  m mute  R record  z undo  ? keys  q leave",
            .faint)
    }

    // MARK: - The head

    /// A compass rose, front up: an arrow at the head's yaw, and the talkers of an Audio Mix as numbers.
    private var rose: [TextRow] {
        let (width, height) = (25, 11)
        var cells = [[Character]](repeating: [Character](repeating: " ", count: width), count: height)
        let (middleX, middleY) = (Double(width - 1) / 2, Double(height - 1) / 2)
        func put(_ character: Character, azimuth: Double, distance: Double) {
            // Left is positive on the stage; a column is half as wide as a row is high.
            let angle = azimuth * .pi / 180
            let x = Int(clamping: middleX - distance * middleX * sin(angle), to: -1...width)
            let y = Int(clamping: middleY - distance * middleY * cos(angle), to: -1...height)
            if cells.indices.contains(y), cells[y].indices.contains(x) { cells[y][x] = character }
        }
        for azimuth in stride(from: 0.0, to: 360, by: 10) {
            put(style.isUnicode ? "·" : ".", azimuth: azimuth, distance: 1)
        }
        for (letter, azimuth) in zip("FLBR", [0.0, 90, 180, -90]) { put(letter, azimuth: azimuth, distance: 1) }
        for distance in stride(from: 0.1, through: 0.6, by: 0.1) { put("*", azimuth: status.yaw, distance: distance) }
        put(arrow, azimuth: status.yaw, distance: 0.75)
        put("o", azimuth: 0, distance: 0)
        // One digit each: nine talkers at most.
        for (number, talker) in zip("123456789", status.programmes.lazy.compactMap(\.talkers).first ?? []) {
            put(number, azimuth: talker.azimuth, distance: 0.88)
        }
        let ink: TerminalStyle.Ink? = status.mode == "held" || status.mode == "waiting" ? .warn : nil
        return cells.map { TextRow(String($0), ink) }
    }

    private var arrow: Character {
        let arrows: [Character] = style.isUnicode ? Array("↑↖←↙↓↘→↗") : Array("^\\</v\\>/")
        let eighth = Int(clamping: status.yaw / 45, to: -8...8)
        return arrows[((eighth % 8) + 8) % 8]
    }

    private var tracking: [TextRow] {
        var rows = [
            TextRow(
                String(format: "yaw %+6.1f pitch %+5.1f roll %+5.1f", status.yaw, status.pitch, status.roll), .bold),
            TextRow(status.mode, ["held", "waiting"].contains(status.mode) ? .warn : nil),
        ]
        for (name, report) in [("head", status.head), ("device", status.device)] {
            guard let report else { continue }
            let age = report.ageSeconds.map { String(format: ", %.0f ms old", $0 * 1000) } ?? ", nothing yet"
            rows.append(
                TextRow(
                    "\(name) " + String(format: "%.0f Hz", report.rateHertz) + age
                        + (report.loss.map { String(format: ", %.1f %% lost", $0 * 100) } ?? ""),
                    report.fresh ? nil : .warn))
        }
        return rows
    }

    // MARK: - Levels

    /// Returns the meters of the ears, their loudness and the gain of the output limiter, then the channels, in several
    /// columns if needed.
    private func levels(rows: Int) -> [TextRow] {
        var found = zip(["left ear", "right ear"], status.outputPeaks).map { meter($0, $1) }
        let loudness = status.loudness?.ears
        found.append(
            TextRow(
                "M \(Self.loudness(loudness?.momentary))  S \(Self.loudness(loudness?.shortTerm))  "
                    + "I \(Self.loudness(loudness?.integrated)) LUFS"))
        let guardWord = String(format: "limiter %.1f dB", status.gainReduction) + (status.clipped ? "  CLIP" : "")
        found.append(TextRow(guardWord, status.clipped ? .bad : status.gainReduction < -0.05 ? .warn : nil))
        found.append(TextRow())
        let channels = zip(names, status.inputPeaks).map { meter($0, $1) }
        let room = max(1, rows - found.count)
        guard channels.count > room else { return found + channels }
        // As many columns as fit into the width; the number of channels left out is shown.
        let side = max(1, (columns - 38) / 34)
        let height = min(room, (channels.count + side - 1) / side)
        for index in 0..<height {
            var row = TextRow()
            for column in 0..<side where column * height + index < channels.count {
                row.add(channels[column * height + index], at: column * 34)
            }
            found.append(row)
        }
        if side * height < channels.count, height > 0 {
            found[found.count - 1] = TextRow("and \(channels.count - (height - 1) * side) more channels", .faint)
        }
        return found
    }

    /// Names of the input channels, from the stage's picture; numbers for the others.
    private var names: [String] {
        var names = status.inputPeaks.indices.map { "channel \($0 + 1)" }
        for input in picture?.inputs ?? [] {
            for (place, number) in input.meters.enumerated() where names.indices.contains(number) {
                let speakers = input.loudspeakers.filter { $0.meter != nil }
                let own =
                    speakers.first { $0.meter == number }?.name ?? ["L", "R"].dropFirst(place - speakers.count).first
                names[number] = "\(input.name) \(own ?? "\(place + 1)")"
            }
        }
        return names
    }

    private func meter(_ name: String, _ level: Double) -> TextRow {
        var row = TextRow(String(name.prefix(12)).padding(toLength: 12, withPad: " ", startingAt: 0) + " ")
        row.add(bar((level + 60) / 60, width: 14), level > -0.05 ? .bad : level > -6 ? .warn : .good)
        row.add(level <= -150 ? "   -inf" : String(format: " %6.1f", level))
        return row
    }

    /// Returns a bar of `width` characters, of which a share (0…1) is filled.
    private func bar(_ share: Double, width: Int) -> String {
        let filled = Int(clamping: share * Double(width), to: 0...width)
        let (full, empty) = style.isUnicode ? ("█", "░") : ("#", ".")
        return String(repeating: full, count: filled) + String(repeating: empty, count: width - filled)
    }

    private static func loudness(_ value: Double?) -> String {
        value.map { $0 <= -99.9 ? " -inf" : String(format: "%5.1f", $0) } ?? "    –"
    }
}
