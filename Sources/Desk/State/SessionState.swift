import Stages

/// Every value in force, by address (`StateAddress`). Facts that cannot be set have addresses too (`layout`,
/// `sample-rate`, `playback`).
package struct SessionState: Sendable, Equatable {
    /// Values by address.
    package var values: SessionValues
    /// Number of changes so far. A gap in the numbers shows a client that it missed a change.
    package var revision: UInt64

    /// Creates a state, empty by default.
    package init(values: SessionValues = [:], revision: UInt64 = 0) {
        self.values = values
        self.revision = revision
    }
}

/// A change of one or more values at the same time.
package struct StateChange: Sendable, Equatable {
    /// New values by address; nil if the address was removed.
    package var values: [String: ParameterValue?]
    /// Revision of the state after the change.
    package var revision: UInt64

    /// Creates a change; see the properties.
    package init(values: [String: ParameterValue?], revision: UInt64) {
        self.values = values
        self.revision = revision
    }
}
