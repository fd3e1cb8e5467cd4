/// An insert as it is asked for.
package struct InsertRequest: Sendable {
    /// The plugin.
    package var member: InsertMember
    /// Whether sound passes it, as late as it would make it.
    package var isBypassed: Bool
    /// Frames by which its output is late.
    package var latency: Int

    /// An insert; see the properties.
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
