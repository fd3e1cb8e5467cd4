import AudioIO
import Desk
import Stages
import Trackers

/// State that a session leaves to its successor with another programme, as for the next file of a preview: the set
/// values, the plugins, the route of the outputs, the interruptions, and the trackers, which keep their front
/// direction.
package struct FormerSession: Sendable {
    /// Values set in that session and its predecessors, and the chains with the plugins' states. Without
    /// chains, the chains of the successor's settings apply.
    var values: SessionDifference
    /// Route of the outputs, and the interruptions in force.
    var playback: PlaybackState
    /// Connections of the outputs, and the name of the client that had them.
    var ears: [JACKLink], client: String
    /// Recorded file, whether the next session continues the recording, and whether a command started it.
    package var take: (file: String?, isOn: Bool, isByCommand: Bool)
    /// Feed of the trackers, which keep running.
    package var feed: HeadPoseFeed

    /// Returns whether the value at an address is passed on: that of a parameter that takes effect at once, or a mode
    /// before a comparison.
    static func isHandedOn(_ address: String) -> Bool {
        let place = StateAddress(address)
        return !place.isTold || place.parameter.map { !$0.takesAWhile } ?? false
    }
}

/// Values that a session took over from an earlier one.
struct Inheritance {
    /// Values in force before the takeover: from options, the config file and metadata.
    var begun: SessionValues = [:]
    /// The values to take over.
    var given = SessionDifference()
    /// Addresses whose values could not be taken over here. They are passed on unchanged to a later session, unless a
    /// new value is set there.
    var missed: Set<String> = []
    /// Addresses set by a command since.
    var said: Set<String> = []

    /// Enters the first values of addresses that the session had not so far, such as loudspeakers of another layout.
    /// Returns these addresses.
    mutating func begin(with now: SessionValues) -> Set<String> {
        let new = now.filter { address, _ in
            guard begun[address] == nil, let traits = StateAddress(address).parameter?.traits else { return false }
            // These have a value only once one is set.
            return traits.isDisjoint(with: [.isUnsetAtFirst, .isDerived])
        }
        begun.merge(new) { $1 }
        return Set(new.keys)
    }

    /// Returns the values to leave to a later session, with `now` in force: those of the selected addresses that were
    /// set.
    ///
    /// - Parameter keepsSaid: whether a value that was set by a command counts even if it equals the session's first
    ///   value. The next session may begin with another value.
    func left(
        _ now: SessionValues, keepsSaid: Bool = false, where isMeant: (String) -> Bool
    ) -> SessionDifference {
        var left = given
        for (address, value) in now where isMeant(address) {
            let isKept = keepsSaid && (said.contains(address) || given.changes[address]?.after == value)
            if value != begun[address] || isKept {
                left.changes[address] = .init(before: begun[address], after: value)
            } else if !missed.contains(address) || said.contains(address) {
                left.changes[address] = nil
            }
        }
        // The modes before a comparison belong to the comparison.
        let compared = left.changes["compare"]?.after
        return compared == nil || compared == .word("off") ? left.told : left
    }
}
