import Stages

/// The one value of state: what every parameter of a session is, by its address, the words that set it (`mode`,
/// `input/main/level`, `plugin/eq/set/gain`).
///
/// The rows of `Parameter.all` read it from a session (`LiveSession.valuesInForce`) and set it (`LiveSession.apply`).
/// What doors tell, undo and redo, scenes, sessions that come back, values of last time and what one session leaves to
/// the next are uses of it and of the difference between two of them.
package typealias SessionValues = [String: ParameterValue]

/// What makes one state another.
package struct SessionDifference: Sendable, Equatable {
    /// What a value was and what it became; nil: the address was not there, or is no more.
    package struct Change: Sendable, Equatable {
        /// The value before and after.
        package var before: ParameterValue?, after: ParameterValue?

        /// A change; see the properties.
        package init(before: ParameterValue?, after: ParameterValue?) { (self.before, self.after) = (before, after) }
    }

    /// By address.
    package var changes: [String: Change] = [:]

    /// No difference.
    package init() {}

    /// Whether nothing differs.
    package var isEmpty: Bool { changes.allSatisfy { $0.value.before == $0.value.after } }

    /// The same the other way round.
    package var inverse: SessionDifference {
        var inverse = self
        inverse.changes = changes.mapValues { Change(before: $0.after, after: $0.before) }
        return inverse
    }

    /// What the values became, by address.
    package var after: [String: ParameterValue?] { changes.mapValues(\.after) }

    /// What is different at these addresses alone.
    package func filter(_ isMeant: (String) -> Bool) -> SessionDifference {
        var part = self
        part.changes = changes.filter { isMeant($0.key) }
        return part
    }

    /// What came later, on top of it.
    package mutating func append(_ later: SessionDifference) {
        changes.merge(later.changes) { Change(before: $0.before, after: $1.after) }
    }
}

extension SessionValues {
    /// What makes `former` these values.
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
