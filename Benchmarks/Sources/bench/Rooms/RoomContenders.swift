/// Our engines for rooms.
enum RoomContenders {
    /// Entries for `work`: `Entry(.ours) { try …Contender(work) }`, with results that appear in the same frame as the input.
    static func ours(_ work: RoomWork) -> [Entry] { [] }
}
