/// The product's contenders for room cells.
enum RoomContenders {
    /// Returns the entries for `work`; their latency is zero.
    static func ours(_ work: RoomWork) -> [Entry] {
        [Entry(.ours) { RoomContender(work) }, Entry(.part) { RoomContender(work, .turning) }]
    }
}
