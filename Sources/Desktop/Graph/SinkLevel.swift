import Gate

/// Volume of a sink as its own controls set it.
package struct SinkLevel: Hashable, Sendable {
    /// `[channel]`: gain, linear, 0…1000.
    package var channels: [Double]
    /// Whether the sink is muted.
    package var isMuted: Bool

    /// Creates a volume; see the properties.
    package init(channels: [Double], isMuted: Bool = false) { (self.channels, self.isMuted) = (channels, isMuted) }

    /// Reads the parameters `Props` of a node as `pw-dump` writes them; nil if none has 1 to 64 channels with gains in
    /// range.
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

    /// Returns this volume for a sink with another number of channels. Additional channels get the greatest gain.
    func fitted(to count: Int) -> SinkLevel {
        let most = channels.max() ?? 1
        return SinkLevel(
            channels: (0..<count).map { $0 < channels.count ? channels[$0] : most }, isMuted: isMuted)
    }
}
