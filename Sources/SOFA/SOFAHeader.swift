/// Description of a SOFA file: convention, data type and texts. No data are read.
struct SOFAHeader {
    let path: String
    /// Text attributes of the file for display: Title, License, RoomType, ...
    let attributes: [String: String]
    let convention: Convention
    /// Type of the data: the file's DataType, or else the type of its convention.
    let dataType: Convention.DataType

    /// Reads the root group's attributes.
    ///
    /// - Throws: `notSOFA`, `incomplete` or `unsupported` if the file is not SOFA, has no convention, or has one
    ///   outside AES69 or with another data type; `corrupt` if its attributes cannot be read.
    init(_ file: HDF5File) throws(SOFAError) {
        path = file.path
        attributes = try file.attributes(named: SOFAHeader.knownAttributes)
        guard let family = attributes["Conventions"] else {
            throw .notSOFA(path: path, found: "it has no attribute Conventions")
        }
        guard family.uppercased() == "SOFA" else {
            throw .notSOFA(path: path, found: "its Conventions is \"\(family)\"")
        }
        guard let name = attributes["SOFAConventions"], !name.isEmpty else {
            throw .incomplete(path: path, missing: "attribute SOFAConventions")
        }
        guard let convention = Convention(named: name) else {
            throw .unsupported(
                path: path, what: "convention", found: name,
                expected: "one of AES69 for a head (\(Convention.names(for: .head).joined(separator: ", ")))")
        }
        self.convention = convention
        guard let text = attributes["DataType"], !text.isEmpty else {
            dataType = convention.dataType
            return
        }
        guard let dataType = Convention.DataType(named: text),
            dataType == convention.dataType || convention.name == "General"
        else {
            throw .unsupported(
                path: path, what: "in \(name), the data type", found: text, expected: convention.dataType.rawValue)
        }
        self.dataType = dataType
    }

    /// Whether the data of several emitters have the order of axes of AES69-2015, in which the samples come last. They
    /// have it if DataType is FIRE or the convention is GeneralFIRE.
    var hasSamplesLast: Bool { convention.name == "GeneralFIRE" || attributes["DataType"]?.uppercased() == "FIRE" }

    /// Throws unless the file has the given purpose. The error names the file's purpose.
    func require(_ purpose: Convention.Purpose) throws(SOFAError) {
        guard convention.purpose != purpose else { return }
        let wanted =
            switch purpose {
            case .head: "a head in a free field (SimpleFreeFieldHRIR and its kin)"
            case .room: "a room heard by two ears (\(Convention.names(for: purpose).joined(separator: ", ")))"
            case .headphones: "a headphone (SimpleHeadphoneIR)"
            case .other: "another"
            }
        let advice =
            switch convention.purpose {
            case .head: "this is a head in a free field, to be played with --hrtf"
            case .room: "this is a room, to be played with --room"
            case .headphones: "this is a headphone's response, for equalising it"
            case .other(let words): "this is \(words)"
            }
        throw .unsupported(path: path, what: "convention", found: convention.name, expected: "\(wanted); \(advice)")
    }

    /// Names of the text attributes of AES69 that are read for display.
    static let knownAttributes = [
        "Conventions", "Version", "SOFAConventions", "SOFAConventionsVersion", "DataType", "RoomType", "Title",
        "DatabaseName", "ListenerShortName", "ListenerDescription", "License", "Organization", "AuthorContact",
        "References", "Comment", "Origin", "History", "APIName", "APIVersion", "ApplicationName", "DateCreated",
        "DateModified", "RoomShortName", "RoomDescription", "RoomLocation", "SourceManufacturer", "SourceModel",
        "SourceDescription", "ReceiverDescription", "EmitterDescription",
    ]
}
