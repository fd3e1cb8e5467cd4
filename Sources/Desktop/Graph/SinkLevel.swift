import Gate

/// Volume of a sink as its own controls set it.
package struct SinkLevel: Hashable, Sendable {
    /// `[channel]`: gain, linear, 0…1000.
    package var channels: [Double]
    /// Whether it is muted.
    package var isMuted: Bool

    /// Makes a volume; see the properties.
    package init(channels: [Double], isMuted: Bool = false) { (self.channels, self.isMuted) = (channels, isMuted) }

    /// Reads the parameters `Props` of a node as `pw-dump` writes them; nil where none has channels in range.
    init?(_ value: JSONValue) {
        guard case .list(let all) = value else { return nil }
        for one in all.prefix(100) {
            guard let channels = one["channelVolumes"]?.numbers(atLeast: 1), channels.count <= 64,
                channels.allSatisfy({ (0...1000).contains($0) })
            else { continue }
            self.init(channels: channels, isMuted: one["mute"] == .truth(true))
            return
        }
        return nil
    }

    /// Returns this volume for a sink of another number of channels, whose first ones are the same; the others get the
    /// highest.
    func fitted(to count: Int) -> SinkLevel {
        let most = channels.max() ?? 1
        return SinkLevel(
            channels: (0..<count).map { $0 < channels.count ? channels[$0] : most }, isMuted: isMuted)
    }
}
