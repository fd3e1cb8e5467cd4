/// The cable that keeps a stage and its relays in one graph: the ports' short names.
enum JACKCable {
    /// Where it begins, at the stage, and where it ends, at each relay.
    static let start = "relay", end = "stage"
}
