/// An insert with the settings that are requested for it.
package struct InsertRequest: Sendable {
    /// The insert's plugin.
    package var member: InsertMember
    /// Whether sound bypasses the plugin, delayed by the plugin's latency.
    package var isBypassed: Bool
    /// Latency of the plugin, frames.
    package var latency: Int

    /// Makes a request; see the properties.
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
