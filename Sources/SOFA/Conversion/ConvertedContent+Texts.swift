extension ConvertedContent {
    /// Values of RoomType in AES69.
    private static let roomTypes = ["free field", "reverberant", "shoebox", "dae"]

    /// Returns the texts of the new file. Those about the writing program and the date of modification are replaced, an
    /// invalid RoomType is replaced, the conversion is added to History, and missing texts that AES69 requires are
    /// added. All other texts are kept.
    static func texts(
        _ stored: [String: String], _ file: CleanFile, _ header: SOFAHeader, _ author: SOFAConversion.Author,
        _ notes: inout [String]
    ) -> [String: String] {
        var texts = stored
        let version = stored["SOFAConventionsVersion"].map { " \($0)" } ?? ""
        let edition = stored["Version"].map { " (SOFA \($0))" } ?? ""
        let writer = [stored["APIName"], stored["APIVersion"]].compactMap { $0 }.filter { !$0.isEmpty }
        let line =
            "\(author.date) UTC: converted from \(header.convention.name)\(version)\(edition)"
            + (writer.isEmpty ? "" : ", written by \(writer.joined(separator: " ")),")
            + " to \(file.convention) by Proscenium \(author.version)"
        texts["History"] = [stored["History"], line].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "; ")
        texts["APIName"] = "Proscenium"
        texts["APIVersion"] = author.version
        texts["ApplicationName"] = "Proscenium"
        texts["ApplicationVersion"] = author.version
        texts["DateModified"] = author.date
        if (stored["DateCreated"] ?? "").isEmpty { texts["DateCreated"] = author.date }
        if (stored["License"] ?? "").isEmpty { texts["License"] = nil }
        for (name, otherwise) in [
            ("Title", "untitled"), ("ReceiverDescription", "ears"), ("EmitterDescription", "drivers"),
        ]
        where (stored[name] ?? "").isEmpty {
            let isWanted = name == "Title" || file.convention == "SimpleHeadphoneIR"
            texts[name] = isWanted ? otherwise : stored[name]
        }
        let isRoom = file.convention.hasPrefix("SingleRoom")
        let type = stored["RoomType"]?.lowercased() ?? ""
        let hasCorners = ["RoomCornerA", "RoomCornerB"].allSatisfy { name in
            file.variables.contains { $0.name == name }
        }
        if roomTypes.contains(type), type != "shoebox" || hasCorners {
            texts["RoomType"] = type
        } else {
            texts["RoomType"] = isRoom ? "reverberant" : "free field"
            if !type.isEmpty { notes.append("RoomType \"\(type)\" became \"\(texts["RoomType"] ?? "")\"") }
        }
        // AES69 requires a RoomDescription for reverberant rooms.
        if texts["RoomType"] == "reverberant", (stored["RoomDescription"] ?? "").isEmpty {
            texts["RoomDescription"] = "not described"
        }
        return texts
    }
}
