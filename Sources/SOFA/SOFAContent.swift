/// What a SOFA file holds, by the convention it names: free-field responses of a head, a room, or a headphone.
package enum SOFAContent {
    /// Any convention that holds a head.
    case freeField(FreeFieldHRIR)
    /// Any of `BinauralRoom`'s, and SimpleFreeFieldHRIR where its responses last as long as a room's.
    case room(BinauralRoom)
    /// SimpleHeadphoneIR.
    case headphones(HeadphoneResponses)

    /// Opens and checks a file as what it says it is. O(size); any thread but the audio thread.
    ///
    /// - Parameter progress: told of each block of data, and may end the reading there; a room has none to be read yet.
    /// - Throws: what is wrong with it as what it is; of an unknown convention, what `FreeFieldHRIR` says; `cancelled`.
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

    /// Whether it is a room's, by its convention or by the length of what it calls responses in a free field.
    static func isRoom(_ file: HDF5File, _ header: SOFAHeader) throws(SOFAError) -> Bool {
        if header.convention.purpose == .room { return true }
        guard header.convention.name == "SimpleFreeFieldHRIR", let shape = try file.shape(of: "Data.IR"),
            shape.count == 3, shape[0] > 0, shape[1] == 2
        else { return false }
        let rate = try SOFAVariables(file: file, measurements: shape[0]).sampleRate()
        return Double(shape[2]) > FreeFieldHRIR.longestSeconds * rate
    }
}
