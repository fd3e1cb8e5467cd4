/// Short port names of the connection that keeps a stage and its relays in one graph.
enum JACKCable {
    /// Output port at the stage, and input port at each relay.
    static let start = "relay", end = "stage"
}
