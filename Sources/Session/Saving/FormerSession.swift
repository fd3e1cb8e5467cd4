import AudioIO
import Desk
import Stages
import Trackers

/// What a session leaves to one that goes on in its place with another programme, as for the next file of a preview:
/// what was set while it played, where its ears go, which interruptions have the stage, and the trackers, whose front
/// stays where it is.
package struct FormerSession: Sendable {
    /// What was set in it, and in those before it.
    var values: SessionDifference
    /// How each input met the listener before a comparison that is under way, a word by name.
    var modes: [String: String]
    /// Where the ears go, and which interruptions have the stage.
    var playback: PlaybackState
    /// The ears' connections, and the client that had them.
    var ears: [JACKLink], client: String
    /// What was recorded into, whether the next goes on with it, and whether it was begun by command.
    package var take: (file: String?, isOn: Bool, isByCommand: Bool)
    /// The trackers, which go on meanwhile.
    package var feed: HeadPoseFeed

    /// Whether a value is of this kind: a parameter that is in force at once, and no plugin's.
    static func isHandedOn(_ address: String) -> Bool {
        guard !address.hasPrefix("plugin/"), let parameter = Parameter.standing(at: address) else { return false }
        return !parameter.takesAWhile
    }
}

/// What a session was given of one before it.
struct Inheritance {
    /// What was in force before anything of it was: by options, the config file and metadata.
    var begun: SessionValues = [:]
    /// What was given.
    var given = SessionDifference()
    /// Addresses whose given values are not in force here, and stay as they were given for a later session until
    /// something else is set there.
    var missed: Set<String> = []

    /// How each input met the listener before a comparison that was given, a word by name.
    var modes: [String: String] = [:]
    /// Addresses that a command has set since.
    var said: Set<String> = []

    /// What a later session is to be given, `now` being in force: of the addresses that are meant, what was set.
    ///
    /// - Parameter keepsSaid: whether a value that a command has set counts although the session began with it: the
    ///   next may begin with another.
    func left(
        _ now: SessionValues, keepsSaid: Bool = false, where isMeant: (String) -> Bool
    ) -> SessionDifference {
        var left = given
        for (address, value) in now where isMeant(address) {
            let isKept = keepsSaid && (said.contains(address) || given.changes[address]?.after == value)
            if value != begun[address] || isKept {
                left.changes[address] = .init(before: begun[address], after: value)
            } else if !missed.contains(address) {
                left.changes[address] = nil
            }
        }
        return left
    }
}
