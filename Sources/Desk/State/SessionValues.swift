import Racks
import Stages

/// The values of all parameters of a session, by address (`StateAddress`).
///
/// The rows of `Parameter.all` read the values from a session (`LiveSession.valuesInForce`) and set them
/// (`LiveSession.apply`). Control interfaces, undo and redo, scenes, restored sessions, saved values and the hand-over
/// from one session to the next all use these values, and the difference between two sets of them.
package typealias SessionValues = [String: ParameterValue]

/// The difference between two states of a session: in the values, and in the chains of plugins.
package struct SessionDifference: Sendable, Equatable {
    /// The value at an address before and after; nil if the address was absent.
    package struct Change: Sendable, Equatable {
        /// The value before and after.
        package var before: ParameterValue?, after: ParameterValue?

        /// Creates a change; see the properties.
        package init(before: ParameterValue?, after: ParameterValue?) { (self.before, self.after) = (before, after) }
    }

    /// The chains of plugins before and after, with the plugins' states; nil if they were not known.
    package struct ChainsChange: Sendable, Equatable {
        /// The chains before and after the change.
        package var before: PluginRack.Memory?, after: PluginRack.Memory?

        /// Creates a change; see the properties.
        package init(before: PluginRack.Memory?, after: PluginRack.Memory?) {
            (self.before, self.after) = (before, after)
        }
    }

    /// Changes by address.
    package var changes: [String: Change] = [:]
    /// Change of the chains; nil without one.
    package var chains: ChainsChange?

    /// Creates an empty difference.
    package init() {}

    /// Whether the two states are equal.
    package var isEmpty: Bool { chains == nil && changes.allSatisfy { $0.value.before == $0.value.after } }

    /// The reverse difference.
    package var inverse: SessionDifference {
        var inverse = self
        inverse.changes = changes.mapValues { Change(before: $0.after, after: $0.before) }
        inverse.chains = chains.map { ChainsChange(before: $0.after, after: $0.before) }
        return inverse
    }

    /// The values after the change, by address; nil if the address was removed.
    package var after: [String: ParameterValue?] { changes.mapValues(\.after) }

    /// The changes of the values that control interfaces receive, and the change of the chains.
    package var told: SessionDifference { filter { StateAddress($0).isTold } }

    /// Returns the changes at the addresses that pass the test, and the change of the chains.
    package func filter(_ isMeant: (String) -> Bool) -> SessionDifference {
        var part = self
        part.changes = changes.filter { isMeant($0.key) }
        return part
    }

    /// Appends a later difference to this one.
    package mutating func append(_ later: SessionDifference) {
        changes.merge(later.changes) { Change(before: $0.before, after: $1.after) }
        if let new = later.chains { chains = ChainsChange(before: (chains ?? new).before, after: new.after) }
    }
}

extension SessionValues {
    /// Returns the difference that turns `former` into these values.
    package func difference(from former: SessionValues) -> SessionDifference {
        var difference = SessionDifference()
        for (address, value) in self where former[address] != value {
            difference.changes[address] = .init(before: former[address], after: value)
        }
        for (address, value) in former where self[address] == nil {
            difference.changes[address] = .init(before: value, after: nil)
        }
        return difference
    }
}
