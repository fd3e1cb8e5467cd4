/// Short names of the ports whose connection keeps a stage and its relays in one graph of the server (`JACKRelay`).
enum JACKCable {
    /// Output port of the stage, and input port of each relay.
    static let start = "relay", end = "stage"
}
