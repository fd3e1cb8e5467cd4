/// Content of a SOFA file, by its convention: free-field responses of a head, a room, or a headphone.
package enum SOFAContent {
    /// A head, of any convention for heads.
    case freeField(FreeFieldHRIR)
    /// A room, of a convention of `BinauralRoom`. SimpleFreeFieldHRIR counts as a room if its responses are longer than
    /// `FreeFieldHRIR.longestSeconds`.
    case room(BinauralRoom)
    /// A headphone, of a convention for headphones.
    case headphones(HeadphoneResponses)

    /// Opens and checks a file by its convention. Cost: O(size). May be called on any thread but the audio thread.
    ///
    /// - Parameter progress: called after each block of data with the share that has been read. If it returns false,
    ///   the reading ends and throws. Not called for rooms.
    /// - Throws: an error for a faulty file; `unsupported` for an unknown convention; `cancelled` if `progress`
    ///   returned false.
    package init(
        path: String, progress: @escaping ReadingProgress = { _ in true }
    ) throws(SOFAError) {
        try FileProbe.check(path)
        let file = try HDF5File(path: path)
        let header = try SOFAHeader(file)
        if try SOFAContent.isRoom(file, header) {
            self = .room(try BinauralRoom(contentsOf: path))
        } else if header.convention.purpose == .headphones {
            self = .headphones(try HeadphoneResponses(file, ReadingWatch(path: path, progress)))
        } else {
            self = .freeField(try FreeFieldHRIR(contentsOf: path, progress: progress))
        }
    }

    /// Returns whether a file describes a room, by its convention or by the length of its free-field responses.
    static func isRoom(_ file: HDF5File, _ header: SOFAHeader) throws(SOFAError) -> Bool {
        if header.convention.purpose == .room { return true }
        guard header.convention.name == "SimpleFreeFieldHRIR", let shape = try file.shape(of: "Data.IR"),
            shape.count == 3, shape[0] > 0, shape[1] == 2
        else { return false }
        let rate = try SOFAVariables(file: file, measurements: shape[0]).sampleRate()
        return Double(shape[2]) > FreeFieldHRIR.longestSeconds * rate
    }
}
