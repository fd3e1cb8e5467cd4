/// Our engines for rooms.
enum RoomContenders {
    /// Entries for `work`, with results that appear in the same frame as the input.
    static func ours(_ work: RoomWork) -> [Entry] {
        [Entry(.ours) { RoomContender(work) }, Entry(.part) { RoomContender(work, .turning) }]
    }
}
