import Signal

/// Which room plays and what was done to it; shown whenever a room is loaded.
package struct RoomReport: Hashable, Sendable {
    /// The room's name or title.
    package var name: String
    /// The file or folder it came from; empty for a generated room.
    package var path: String
    /// Its licence in the file's words; empty for a generated room.
    package var licence: String
    /// Number of sources in the room.
    package var sources: Int
    /// Head yaws the early part has, 1 where it does not follow the head.
    package var yaws: Int
    /// Seconds of the early part, and of the whole.
    package var early: Double, length: Double
    /// Seconds cut before the direct sound of a measured room; negative: added.
    package var cut = 0.0
    /// Whether all sources share one tail.
    package var isTailShared: Bool
    /// Gain that keeps the loudness of the dry stage, dB.
    package var trim: Decibels
    /// Bytes the responses take.
    package var bytes: Int
    /// What was done, one sentence each.
    package var processing: [String]
    /// What is odd, one sentence each.
    package var remarks: [String]

    /// The report in lines for people.
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
