/// What a SOFA file holds, by the convention it names: free-field responses of a head, or a room.
package enum SOFAContent {
    /// SimpleFreeFieldHRIR, also where a room is labelled so.
    case freeField(FreeFieldHRIR)
    /// Any of `BinauralRoom`'s other conventions.
    case room(BinauralRoom)

    /// Opens and checks a file as what it says it is. O(size); any thread but the audio thread.
    ///
    /// - Throws: what is wrong with it as what it is; of an unknown convention, what `FreeFieldHRIR` says.
    package init(path: String) throws(SOFAError) {
        try FileProbe.check(path)
        let convention = try HDF5File(path: path).text("SOFAConventions") ?? ""
        if convention != "SimpleFreeFieldHRIR", BinauralRoom.conventions.contains(convention) {
            self = .room(try BinauralRoom(contentsOf: path))
        } else {
            self = .freeField(try FreeFieldHRIR(contentsOf: path))
        }
    }
}
