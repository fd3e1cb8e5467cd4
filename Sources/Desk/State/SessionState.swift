import Stages

/// Every value in force, by its address: the words that set it (`mode`, `input/main/level`, `plugin/eq/set/gain`), and
/// beside those facts that cannot be set (`layout`, `sample-rate`, `playback`).
package struct SessionState: Sendable, Equatable {
    /// Values by address.
    package var values: SessionValues
    /// Counts the changes; a client that missed one sees a gap.
    package var revision: UInt64

    /// Nothing yet.
    package init(values: SessionValues = [:], revision: UInt64 = 0) {
        self.values = values
        self.revision = revision
    }
}

/// What became different, all at once.
package struct StateChange: Sendable, Equatable {
    /// New values by address; nil: the address is no more.
    package var values: [String: ParameterValue?]
    /// The state's revision with it.
    package var revision: UInt64

    /// A change, as the state tells it.
    package init(values: [String: ParameterValue?], revision: UInt64) {
        self.values = values
        self.revision = revision
    }
}
