/// Places for plugin chains in a stage, which is all programmes that are rendered together. Each place is a group of
/// channels that passes through its chain on the audio thread.
///
/// Sound passes through the chain of its programme, then of its loudspeaker, then of the ears. A sound field has no
/// loudspeakers; before the ears it passes only through its own chain. Programmes are parallel, and so are
/// loudspeakers. Each is delayed to the largest latency among them.
///
/// Effects are programmes. The input of an effect is the sound of other programmes after their chains and delays, where
/// it is aligned. A path through an effect is therefore longer by the effect's chain. Let P be the largest latency of a
/// programme's chain and E that of an effect's chain. The output of effects is late by P + E. The loudspeakers of all
/// other programmes are therefore delayed by E more.
package struct InsertPlaces: Hashable, Sendable {
    /// How a programme's sound reaches the ears from its chain.
    package enum Way: Hashable, Sendable {
        /// Through the chains of its loudspeakers; by sends also through effects.
        case loudspeakers
        /// Through the chains of its loudspeakers. Its input is the sends of other programmes.
        case effect
        /// Directly to the ears.
        case field
    }

    /// Number of channels of each programme.
    package let programmes: [Int]
    /// How each programme's sound reaches the ears.
    package let ways: [Way]
    /// Number of loudspeakers of all programmes together.
    package let loudspeakers: Int

    /// Makes the places of a stage. If `ways` is nil, all programmes have loudspeakers, and none is an effect.
    package init(programmes: [Int], ways: [Way]? = nil) {
        let ways = ways ?? .init(repeating: .loudspeakers, count: programmes.count)
        (self.programmes, self.ways) = (programmes, ways)
        loudspeakers = zip(programmes, ways).reduce(0) { $1.1 == .field ? $0 : $0 + $1.0 }
    }

    /// Number of places.
    package var count: Int { programmes.count + loudspeakers + 3 }
    /// Number of channels of each place.
    package var channels: [Int] {
        programmes + [Int](repeating: 1, count: loudspeakers) + [2, 2, 2]
    }
    /// Returns the place of a programme.
    package func programme(_ index: Int) -> Int { index }
    /// Returns the place of a loudspeaker, counted through all programmes.
    package func loudspeaker(_ source: Int) -> Int { programmes.count + source }
    /// Place of the sound that bypasses the filters. It has no chain, only a delay that matches the loudspeakers'
    /// chains.
    package var past: Int { programmes.count + loudspeakers }
    /// Place of the two ears.
    package var ears: Int { past + 1 }
    /// Place of the effects' sound that bypasses the filters.
    package var effectsPast: Int { past + 2 }

    /// Returns the delay of each place, frames, that makes all paths to the ears equally late. `latencies` has the
    /// latency of each place.
    func compensation(for latencies: [Int]) -> [Int] {
        let widest = latency(latencies)
        let ofProgrammes = programmes.indices.map { index in
            switch ways[index] {
            case .loudspeakers: widest.programmes - latencies[index]
            case .effect: widest.effects - latencies[index]
            case .field: widest.total - latencies[index]
            }
        }
        let ofLoudspeakers = zip(programmes, ways).flatMap { channels, way in
            [Int](
                repeating: widest.loudspeakers + (way == .effect ? 0 : widest.effects),
                count: way == .field ? 0 : channels)
        }
        return ofProgrammes + zip(ofLoudspeakers, latencies[programmes.count..<past]).map { $0 - $1 } + [
            widest.effects + widest.loudspeakers, 0, widest.loudspeakers,
        ]
    }

    /// Returns, for each place, the number of frames by which its crossfade begins later than that of a programme with
    /// loudspeakers. Sound takes this time longer from such a programme's chain to the ears than from the place's
    /// chain. Changes in several places are thus heard at the same time. `latencies` has the latency of each place.
    func lags(for latencies: [Int]) -> [Int] {
        let widest = latency(latencies)
        let behind = widest.effects + widest.loudspeakers
        let ofProgrammes = ways.map { way in
            switch way {
            case .loudspeakers: 0
            case .effect: widest.effects
            case .field: behind
            }
        }
        return ofProgrammes + [Int](repeating: behind, count: loudspeakers + 3)
    }

    /// Largest latency of each kind of place, frames. A path through an effect passes all kinds.
    private struct Widest {
        var programmes = 0
        var effects = 0
        var loudspeakers = 0
        var total: Int { programmes + effects + loudspeakers }
    }

    /// Returns the largest latency of programmes, effects and loudspeakers. A sound field passes none of these chains.
    /// If the latency of a sound field exceeds their total, the excess is added to the programmes.
    private func latency(_ latencies: [Int]) -> Widest {
        var widest = Widest()
        var fields = 0
        for (way, latency) in zip(ways, latencies) {
            switch way {
            case .loudspeakers: widest.programmes = max(widest.programmes, latency)
            case .effect: widest.effects = max(widest.effects, latency)
            case .field: fields = max(fields, latency)
            }
        }
        widest.loudspeakers = latencies[programmes.count..<past].max() ?? 0
        widest.programmes += max(0, fields - widest.total)
        return widest
    }

    /// Returns the latency of the chains before the ears, and of the ears' chain.
    func total(for latencies: [Int]) -> InsertLatency {
        InsertLatency(beforeEars: latency(latencies).total, afterEars: latencies[ears])
    }
}

/// Latency of the chains, frames.
package struct InsertLatency: Hashable, Sendable {
    /// Latency up to the ears, the same for all programmes.
    package var beforeEars = 0
    /// Latency of the ears' chain.
    package var afterEars = 0

    /// Makes a latency; see the properties.
    package init(beforeEars: Int = 0, afterEars: Int = 0) {
        self.beforeEars = beforeEars
        self.afterEars = afterEars
    }

    /// Sum of both latencies.
    package var total: Int { beforeEars + afterEars }
}
