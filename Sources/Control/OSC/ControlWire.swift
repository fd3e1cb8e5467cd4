/// What all control messages share, see `ControlMessages`.
enum ControlWire {
    /// What every address begins with.
    static let prefix = "/proscenium/"

    /// Why a message is no command, as text for its sender.
    struct Unusable: Error { let reason: String }
}
