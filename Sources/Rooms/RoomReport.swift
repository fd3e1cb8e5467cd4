import Signal

/// Report on the room that plays and on its processing; shown whenever a room is loaded.
package struct RoomReport: Hashable, Sendable, Codable {
    /// The room's name or title.
    package var name: String
    /// Path of the room's file or folder; empty for a generated room.
    package var path: String
    /// Licence of the room as the file states it, or a note that it states none; empty for a generated room.
    package var licence: String
    /// Number of sources in use.
    package var sources: Int
    /// Number of head yaws of the early part; 1 if the room does not follow the head.
    package var yaws: Int
    /// Lengths of the early part and of the whole response, seconds.
    package var early: Double, length: Double
    /// Time removed before the direct sound of a measured room, seconds; negative if silence is inserted, 0 for a
    /// generated room.
    package var cut = 0.0
    /// Whether all sources share one tail.
    package var isTailShared: Bool
    /// Gain that makes the room as loud as the head-related filters without a room, dB.
    package var trim: Decibels
    /// Memory of the responses, bytes.
    package var bytes: Int
    /// Processing steps, one sentence each.
    package var processing: [String]
    /// Anomalies of the room, one sentence each.
    package var remarks: [String]

    /// The report as lines of text.
    package var lines: [String] {
        func rounded(_ value: Double) -> String {
            let tenths = (value * 10).rounded() / 10
            return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
        }
        var lines = ["room       \(name)"]
        if !path.isEmpty { lines.append("  file     \(path)") }
        if !licence.isEmpty { lines.append("  licence  \(licence)") }
        lines.append(
            "  played   \(sources) source\(sources == 1 ? "" : "s"), "
                + (yaws > 1 ? "\(yaws) head yaws" : "does not follow the head")
                + ", \(rounded(early * 1000)) ms early of \(rounded(length * 1000)) ms, "
                + (isTailShared ? "one tail for all" : "a tail each") + ", level \(trim), \((bytes + 1 << 19) >> 20) MB"
        )
        for step in processing { lines.append("  \(step)") }
        for remark in remarks { lines.append("  note: \(remark)") }
        return lines
    }
}
