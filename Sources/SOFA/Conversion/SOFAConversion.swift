/// Conversion of a SOFA file to the simplest convention of AES69-2022 that can contain it.
///
/// A head becomes a SimpleFreeFieldHRIR with a listener at the origin who faces the front. Transfer functions,
/// second-order sections and spherical harmonics are converted to impulse responses, as for playback. A headphone
/// becomes a SimpleHeadphoneIR. A room with one loudspeaker for each measurement becomes a SingleRoomSRIR, a room with
/// several a SingleRoomMIMOSRIR; a room labelled as SimpleFreeFieldHRIR keeps this convention. Numbers that need no
/// conversion are copied exactly, in double precision. The texts of the file's root group are kept, except those that
/// describe the writing program or are invalid, and the conversion is added to History.
package struct SOFAConversion {
    /// Path of the source file.
    package let path: String
    /// Convention and data type of the source file.
    package let source: (convention: String, dataType: String)
    /// Sample rate, hertz.
    package let sampleRate: Double
    /// Conversions, omissions and peculiarities, one sentence each.
    package private(set) var notes: [String]
    /// The head as it would be played; nil for rooms and headphones.
    package let head: FreeFieldHRIR?

    private var file: CleanFile
    private let slab: (CleanFile.Slab) throws(SOFAError) -> [Double]
    private var hasExchangedEars = false

    /// Program and time of the conversion, written into the file.
    package struct Author: Sendable {
        /// Version of the program.
        package var version: String
        /// Present time, UTC, in AES69's format: 2026-11-25 12:00:00.
        package var date: String

        package init(version: String, date: String) { (self.version, self.date) = (version, date) }
    }

    /// Reads and checks a file. The responses of a head or headphone are read as well. O(size).
    ///
    /// - Throws: an error if the file is faulty; `unsupported` for content of other conventions; `cancelled` if
    ///   `progress` returned false.
    package init(
        contentsOf path: String, by author: Author, progress: @escaping ReadingProgress = { _ in true }
    ) throws(SOFAError) {
        try FileProbe.check(path)
        let file = try HDF5File(path: path)
        let header = try SOFAHeader(file)
        let watch = ReadingWatch(path: path, progress)
        let isRoom = try SOFAContent.isRoom(file, header)
        let content: ConvertedContent
        if isRoom {
            content = try ConvertedContent(room: path, file, header)
        } else if header.convention.purpose == .headphones {
            content = try ConvertedContent(headphone: path, file, watch)
        } else {
            content = try ConvertedContent(head: file, header, watch)
        }
        self.path = path
        source = (header.convention.name, header.dataType.rawValue)
        (sampleRate, notes, head, slab) = (content.sampleRate, content.notes, content.head, content.slab)
        self.file = content.file
        self.file.attributes = ConvertedContent.texts(try file.texts(), content.file, header, author, &notes)
    }

    /// Convention of the new file.
    package var convention: String { file.convention }
    /// Numbers of measurements (M), samples (N) and emitters (E) of the new file's data.
    package var measurements: Int { file.measurements }
    package var sampleCount: Int { file.sampleCount }
    package var emitters: Int { file.emitters ?? 1 }

    /// Exchanges the ears of a head whose file has them in the wrong order. Call it at most once.
    package mutating func exchangeEars() {
        hasExchangedEars = true
        notes.append("sounds from the left reach receiver 1 first: the ears were exchanged")
        guard let place = file.variables.firstIndex(where: { $0.name == "Data.Delay" }) else { return }
        let values = file.variables[place].values
        file.variables[place].values = values.indices.map { values[$0 ^ 1] }
    }

    /// Returns the path of the incomplete file during writing.
    package static func partialPath(of path: String) -> String { NewFile.partialPath(of: path) }

    /// Writes the file. O(size). The file gets its name only when it is complete.
    ///
    /// - Throws: `occupied` if the file exists and must not be replaced; `unwritable` if it cannot be written; `value`
    ///   if a room's response contains values that are not numbers; `cancelled` if `progress` returned false.
    package func write(
        to target: String, isReplacing: Bool, progress: @escaping ReadingProgress = { _ in true }
    ) throws(SOFAError) {
        let samples = sampleCount
        try file.write(to: target, isReplacing: isReplacing, watch: ReadingWatch(path: path, progress)) {
            slab throws(SOFAError) in
            var values = try self.slab(slab)
            guard hasExchangedEars else { return values }
            for row in stride(from: 0, to: values.count, by: 2 * samples) {
                for n in row..<(row + samples) { values.swapAt(n, n + samples) }
            }
            return values
        }
    }
}
