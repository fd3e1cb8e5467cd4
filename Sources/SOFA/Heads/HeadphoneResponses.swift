/// Responses of a headphone at its wearer's ears, for each refit: a validated SimpleHeadphoneIR (AES69, all versions)
/// or HeadphoneIR, its predecessor.
///
/// Each driver is measured at its own ear: emitter 0 at receiver 0 (left), emitter 1 at receiver 1. Between
/// measurements the headphone is taken off and put on again. Nothing is averaged, equalised or delayed here.
package struct HeadphoneResponses: Sendable {
    /// Path of the file.
    package let path: String
    /// The text attributes of the file: Title, License, SourceModel, ...
    package let attributes: [String: String]
    /// Sample rate, hertz.
    package let sampleRate: Double
    /// Number of samples in each response.
    package let sampleCount: Int
    /// Responses `[refit][ear][sample]`; ear 0 is the left.
    package let responses: [Float]
    /// Delays to be added, samples, `[refit][ear]`; may be fractional.
    package let delays: [Double]
    /// Peculiarities of the file that the reader corrected or ignored, one sentence each.
    package let remarks: [String]
    /// Index of each refit in the file. Refits with a silent ear are omitted.
    let refits: [Int]

    /// Longest response, seconds. No response of a headphone is longer.
    static let longestSeconds = 2.0
    /// Largest number of refits.
    static let mostRefits = 4096

    /// Number of refits.
    package var refitCount: Int { responses.count / (2 * sampleCount) }

    /// Returns one ear's response of one refit; ear 0 is the left.
    package func response(_ refit: Int, ear: Int) -> ArraySlice<Float> {
        let start = (2 * refit + ear) * sampleCount
        return responses[start..<(start + sampleCount)]
    }

    /// Returns an attribute; nil if it is missing or empty.
    package func attribute(_ name: String) -> String? {
        guard let value = attributes[name], !value.isEmpty else { return nil }
        return value
    }

    /// Manufacturer and model from the file, or else SourceDescription, Title, or `headphone`.
    package var name: String {
        let parts = ["SourceManufacturer", "SourceModel"].compactMap(attribute)
        if !parts.isEmpty { return parts.joined(separator: " ") }
        return attribute("SourceDescription") ?? attribute("Title") ?? "headphone"
    }

    /// Reads and checks a file; its content is not trusted. Cost: O(size). May be called on any thread but the audio
    /// thread.
    ///
    /// - Parameter progress: called after each block of data with the share that has been read. If it returns false,
    ///   the reading ends and throws.
    /// - Throws: `unsupported` for other conventions; other errors if the file is faulty; `cancelled` if `progress`
    ///   returned false.
    package init(
        contentsOf path: String, progress: @escaping ReadingProgress = { _ in true }
    ) throws(SOFAError) {
        try FileProbe.check(path)
        try self.init(HDF5File(path: path), ReadingWatch(path: path, progress))
    }

    /// Reads an open file.
    init(_ file: HDF5File, _ watch: ReadingWatch) throws(SOFAError) {
        let path = file.path
        let header = try SOFAHeader(file)
        try header.require(.headphones)
        let data = try DataBlocks("Data.IR", of: file)
        let shape = data.shape
        guard shape.count == 3, shape[0] > 0, shape[1] == 2, shape[2] >= 2 else {
            throw .shape(
                path: path, variable: "Data.IR", found: shape, expected: "refits × 2 ears × samples")
        }
        guard shape[0] <= HeadphoneResponses.mostRefits else {
            throw .shape(
                path: path, variable: "Data.IR", found: shape,
                expected: "\(HeadphoneResponses.mostRefits) refits at most")
        }
        var remarks: [String] = []
        let variables = SOFAVariables(file: file, measurements: shape[0])
        let sampleRate = try variables.sampleRate()
        let seconds = Double(shape[2]) / sampleRate
        guard seconds <= HeadphoneResponses.longestSeconds else {
            throw .value(
                path: path, variable: "Data.IR",
                problem: "holds responses of \(seconds) s, longer than any headphone rings; use another file")
        }
        if let receivers = try variables.receivers(&remarks), receivers[0].y < receivers[1].y {
            remarks.append(
                "ReceiverPosition has the right ear first; it is ignored: receiver 0 is read as the left ear, as AES69 "
                    + "orders them")
        }
        let delays = try variables.delays(sampleRate: sampleRate, &remarks)
        var store = ResponseStore(path: path, variable: "Data.IR", sampleCount: shape[2], measurements: shape[0])
        try data.forEachMeasurement(watch: watch) { _, values, _ throws(SOFAError) in
            try store.append(values)
        }
        try store.finish(&remarks, what: "refits")
        self.path = path
        attributes = header.attributes
        self.sampleRate = sampleRate
        sampleCount = shape[2]
        (responses, refits) = (store.responses, store.kept)
        self.delays = store.kept.flatMap { [delays[2 * $0], delays[2 * $0 + 1]] }
        self.remarks = remarks
    }
}
