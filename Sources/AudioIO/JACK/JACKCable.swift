/// Short names of the ports through which a stage is connected to its relays (`JACKRelay`). The connection keeps all of
/// them in one graph of the server.
enum JACKCable {
    /// Output port of the stage, and input port of each relay.
    static let start = "relay", end = "stage"
}
