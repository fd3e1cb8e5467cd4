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
    /// - Throws: what is wrong with it as what it is; of an unknown convention, what `FreeFieldHRIR` says.
    package init(path: String) throws(SOFAError) {
        try FileProbe.check(path)
        let file = try HDF5File(path: path)
        let header = try SOFAHeader(file)
        switch header.convention.purpose {
        case .room: self = .room(try BinauralRoom(contentsOf: path))
        case .headphones: self = .headphones(try HeadphoneResponses(contentsOf: path))
        case .head, .other:
            if header.convention.name == "SimpleFreeFieldHRIR", let shape = try file.shape(of: "Data.IR"),
                shape.count == 3, shape[0] > 0, shape[1] == 2,
                Double(shape[2]) > FreeFieldHRIR.longestSeconds
                    * (try SOFAVariables(file: file, measurements: shape[0]).sampleRate())
            {
                self = .room(try BinauralRoom(contentsOf: path))
            } else {
                self = .freeField(try FreeFieldHRIR(contentsOf: path))
            }
        }
    }
}
