/// A SOFA file as it will be written anew: the cleanest convention of AES69-2022 that holds what it says.
///
/// A head becomes a SimpleFreeFieldHRIR, seen from a listener at the origin who faces the front: transfer functions,
/// sections and spherical harmonics as they are converted on reading. A headphone becomes a SimpleHeadphoneIR, a room
/// with one loudspeaker for each measurement a SingleRoomSRIR, one with several a SingleRoomMIMOSRIR. Numbers that the
/// file has as such are copied in double precision, bit by bit. All texts of the file's root group are kept, and how it
/// was converted is added to History.
package struct SOFAConversion {
    /// The file.
    package let path: String
    /// The convention of the file, and how its data are stored.
    package let source: (convention: String, dataType: String)
    /// Samples per second.
    package let sampleRate: Double
    /// What is converted, left out or read around, one sentence each.
    package private(set) var notes: [String]
    /// A head, as it is played; nil for rooms and headphones.
    package let head: FreeFieldHRIR?

    private var file: CleanFile
    private let slab: (CleanFile.Slab) throws(SOFAError) -> [Double]
    private var hasExchangedEars = false

    /// The program that converts, and when: what is said of it in the file.
    package struct Author: Sendable {
        /// The program's version.
        package var version: String
        /// Now, UTC, as AES69 writes it: 2026-11-25 12:00:00.
        package var date: String

        package init(version: String, date: String) { (self.version, self.date) = (version, date) }
    }

    /// Reads and checks a file, its responses included where they are a head's or a headphone's. O(size).
    ///
    /// - Throws: what is wrong with it; `unsupported` for what none of these conventions holds; `cancelled`.
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

    /// The convention it is written in.
    package var convention: String { file.convention }
    /// M, N and E of its data.
    package var measurements: Int { file.measurements }
    package var sampleCount: Int { file.sampleCount }
    package var emitters: Int { file.emitters ?? 1 }

    /// Exchanges the ears of a head whose file has them in the wrong order; to be called once.
    package mutating func exchangeEars() {
        hasExchangedEars = true
        notes.append("sounds from the left reach receiver 1 first: the ears were exchanged")
        guard let place = file.variables.firstIndex(where: { $0.name == "Data.Delay" }) else { return }
        let values = file.variables[place].values
        file.variables[place].values = values.indices.map { values[$0 ^ 1] }
    }

    /// Where the file stands until it is complete.
    package static func partialPath(of path: String) -> String { NewFile.partialPath(of: path) }

    /// Writes it. O(size); the file appears under its name only when it is complete.
    ///
    /// - Throws: `occupied` where there is a file already and it is not to be replaced; `unwritable`; `value` where a
    ///   response of a room is no number; `cancelled`.
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
