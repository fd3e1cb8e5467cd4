/// An insert with its requested settings.
package struct InsertRequest: Sendable {
    /// Plugin of the insert.
    package var member: InsertMember
    /// Whether sound bypasses the plugin, delayed by its latency.
    package var isBypassed: Bool
    /// Latency of the plugin, frames.
    package var latency: Int

    /// Holds an insert; see the properties.
    package init(_ member: InsertMember, isBypassed: Bool = false, latency: Int = 0) {
        self.member = member
        self.isBypassed = isBypassed
        self.latency = latency
    }

    var mode: InsertMode { isBypassed ? .bypassed : .active }

    func isLike(_ other: InsertRequest) -> Bool {
        member === other.member && isBypassed == other.isBypassed && latency == other.latency
    }
}
