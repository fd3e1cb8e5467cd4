import CHDF5

/// A SOFA file to be written: everything except its responses, which are written slab by slab.
///
/// The format is that of AES69-2022 as written by netCDF-4: dimensions, numbers as doubles (the only type that all
/// readers accept), shuffled and deflated. Only the texts depend on the time of writing. The file gets its name only
/// when it is complete.
struct CleanFile {
    /// Convention, in version 1.0: SimpleFreeFieldHRIR, SingleRoomMIMOSRIR, ...
    var convention: String
    /// Texts of the root group other than those of the convention.
    var attributes: [String: String]
    var measurements: Int
    var sampleCount: Int
    /// Number of emitters (FIR-E); nil if the data have no axis of emitters (FIR).
    var emitters: Int?
    /// All variables except the data, in the order of writing.
    var variables: [Variable]

    /// A variable of doubles.
    struct Variable {
        var name: String
        var values: [Double]
        /// Names of the axes as in AES69: I (1), C (3 coordinates), R (receivers), E (emitters), N (samples), M
        /// (measurements).
        var axes: [String]
        var attributes: [(String, String)] = []
    }

    /// A range of measurements and emitters, with both ears.
    struct Slab {
        var measurements: Range<Int>
        var emitters: Range<Int>
    }

    /// Number of values of a slab, 8 MB.
    private static let slabValues = 1 << 20

    /// Writes the file. `responses` returns the values of a slab, `[measurement][ear][sample]`, or with emitters
    /// `[measurement][ear][sample][emitter]`. It is called once per slab, in order; `watch` is called before each slab
    /// and after the last one.
    func write(
        to path: String, isReplacing: Bool, watch: ReadingWatch? = nil,
        responses: (Slab) throws(SOFAError) -> [Double]
    ) throws(SOFAError) {
        HDF5Errors.silence()
        let new = try NewFile(path: path, isReplacing: isReplacing)
        let writer = try HDF5Writer(partial: new.partialPath, path: path)
        do {
            try write(with: writer, watch, responses)
            try writer.close()
        } catch {
            writer.abandon()
            new.drop()
            throw error
        }
        try new.finish()
    }

    private func write(
        with writer: HDF5Writer, _ watch: ReadingWatch?, _ responses: (Slab) throws(SOFAError) -> [Double]
    ) throws(SOFAError) {
        for (name, value) in texts.sorted(by: { $0.key < $1.key }) { try writer.attribute(name, value) }
        let sizes = ["I": 1, "C": 3, "R": 2, "E": emitters ?? emitterRows, "N": sampleCount, "M": measurements]
        // Dimensions as in netCDF-4, for readers that need them (libmysofa).
        for name in ["I", "C", "R", "E", "N", "M"] { try writer.dimension(name, sizes[name] ?? 1) }
        for variable in variables {
            try writer.doubles(
                variable.name, variable.values, variable.axes.map { sizes[$0] ?? 1 }, variable.attributes,
                dimensions: variable.axes)
        }
        let shape = [measurements, 2, sampleCount] + (emitters.map { [$0] } ?? [])
        let axes = ["M", "R", "N"] + (emitters == nil ? [] : ["E"])
        let chunk = HDF5Writer.chunk(of: shape)
        let data = try writer.open("Data.IR", shape, dimensions: axes, chunk: chunk)
        defer { H5Dclose(data) }
        let all = emitters ?? 1
        let row = 2 * sampleCount * all
        // Whole chunks, with all emitters if they fit into a slab.
        let rows = chunk[0] * max(1, CleanFile.slabValues / (row * chunk[0]))
        var places = all
        if emitters != nil, row > CleanFile.slabValues {
            places = chunk[3] * max(1, CleanFile.slabValues / (2 * sampleCount * chunk[3]))
        }
        for start in stride(from: 0, to: measurements, by: rows) {
            for first in stride(from: 0, to: all, by: places) {
                try watch?.reached((Double(start) + Double(first) / Double(all)) / Double(measurements))
                let (m, e) = (start..<min(measurements, start + rows), first..<min(all, first + places))
                try writer.write(
                    try responses(Slab(measurements: m, emitters: e)), to: data,
                    start: [m.lowerBound, 0, 0] + (emitters == nil ? [] : [e.lowerBound]),
                    count: [m.count, 2, sampleCount] + (emitters == nil ? [] : [e.count]))
            }
        }
        try watch?.reached(1)
    }

    /// Number of rows of EmitterPosition if the data have no axis of emitters.
    private var emitterRows: Int {
        variables.first { $0.name == "EmitterPosition" }.map { max(1, $0.values.count / 3) } ?? 1
    }

    /// Texts that AES69 requires of every file, with this file's values.
    private var texts: [String: String] {
        var texts = [
            "RoomType": "free field", "Title": "HRIR", "DatabaseName": "", "ListenerShortName": "",
            "License": "No license provided, ask the author for permission", "Organization": "", "AuthorContact": "",
            "APIName": "Proscenium", "APIVersion": "1", "DateCreated": "2026-01-01 00:00:00",
            "DateModified": "2026-01-01 00:00:00",
        ]
        for (name, value) in attributes { texts[name] = value }
        texts["Conventions"] = "SOFA"
        texts["Version"] = "2.1"
        texts["SOFAConventions"] = convention
        texts["SOFAConventionsVersion"] = "1.0"
        texts["DataType"] = emitters == nil ? "FIR" : "FIR-E"
        return texts
    }
}

extension CleanFile.Variable {
    /// Attributes of a position in metres along axes.
    static let cartesian = [("Type", "cartesian"), ("Units", "metre")]
    /// Attributes of a position by azimuth, elevation and distance.
    static let spherical = [("Type", "spherical"), ("Units", "degree, degree, metre")]
}
