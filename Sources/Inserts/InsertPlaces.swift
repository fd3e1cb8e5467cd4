/// Places of a stage with plugin chains: each a group of channels that passes its chain on the audio thread.
///
/// Sound passes, in this order, the chain of its programme (or of the sound field), that of its loudspeaker, and that
/// after the ears. Programmes are parallel, and so are loudspeakers: each is delayed to the largest latency among them.
///
/// Effects are programmes fed with the other programmes' sound after their chains and delays, where it is aligned. A
/// path through an effect is therefore longer by the effect's chain. With P the largest latency of a programme and E
/// that of an effect, effects leave their place P + E late, and the loudspeakers of the others are delayed by E more.
package struct InsertPlaces: Hashable, Sendable {
    /// Number of channels of each programme's stage.
    package let programmes: [Int]
    /// Whether each programme is an effect.
    package let effects: [Bool]
    /// Number of loudspeakers of all programmes.
    package let loudspeakers: Int
    /// Number of channels of the sound field; 0 without one.
    package let field: Int

    /// Holds the places of a stage; `effects`: whether each programme is one, nil: none is.
    package init(programmes: [Int], effects: [Bool]? = nil, field: Int) {
        self.programmes = programmes
        self.effects = effects ?? .init(repeating: false, count: programmes.count)
        loudspeakers = programmes.reduce(0, +)
        self.field = field
    }

    /// Number of places.
    package var count: Int { programmes.count + loudspeakers + 4 }
    /// Number of channels of each place.
    package var channels: [Int] {
        programmes + [Int](repeating: 1, count: loudspeakers) + [field, 2, 2, 2]
    }
    /// Returns the place of a programme.
    package func programme(_ index: Int) -> Int { index }
    /// Returns the place of a loudspeaker, counted through all programmes.
    package func loudspeaker(_ source: Int) -> Int { programmes.count + source }
    /// Place of the sound field.
    package var fieldPlace: Int { programmes.count + loudspeakers }
    /// Place of the sound past the filters: without a chain, but delayed like the loudspeakers.
    package var past: Int { fieldPlace + 1 }
    /// Place after the ears.
    package var ears: Int { fieldPlace + 2 }
    /// Place of the effects' sound past the filters.
    package var effectsPast: Int { fieldPlace + 3 }

    /// Returns the delay of each place, given the latency of each, that makes all paths to the ears equally late.
    func compensation(for latencies: [Int]) -> [Int] {
        let widest = latency(latencies)
        let ofProgrammes = programmes.indices.map { index in
            (effects[index] ? widest.effects : widest.programmes) - latencies[index]
        }
        let ofLoudspeakers = zip(programmes, effects).flatMap { channels, isEffect in
            [Int](repeating: widest.loudspeakers + (isEffect ? 0 : widest.effects), count: channels)
        }
        return ofProgrammes + zip(ofLoudspeakers, latencies[programmes.count..<fieldPlace]).map { $0 - $1 } + [
            widest.total - latencies[fieldPlace], widest.effects + widest.loudspeakers, 0, widest.loudspeakers,
        ]
    }

    /// Returns how much later each place fades than the programmes, given the latency of each: by the time that sound
    /// takes longer to the ears from the programmes than from that place. Changes in several places are thus heard as
    /// one.
    func lags(for latencies: [Int]) -> [Int] {
        let widest = latency(latencies)
        let behind = widest.effects + widest.loudspeakers
        return effects.map { $0 ? widest.effects : 0 } + [Int](repeating: behind, count: loudspeakers + 4)
    }

    /// Largest latency of each kind of place; a path through an effect passes all kinds.
    private struct Widest {
        var programmes = 0
        var effects = 0
        var loudspeakers = 0
        var total: Int { programmes + effects + loudspeakers }
    }

    /// Returns the largest latency of programmes, effects and loudspeakers. A field passes none of these; its excess
    /// over their total is added to the programmes.
    private func latency(_ latencies: [Int]) -> Widest {
        var widest = Widest()
        for (index, latency) in latencies[..<programmes.count].enumerated() {
            if effects[index] {
                widest.effects = max(widest.effects, latency)
            } else {
                widest.programmes = max(widest.programmes, latency)
            }
        }
        widest.loudspeakers = latencies[programmes.count..<fieldPlace].max() ?? 0
        widest.programmes += max(0, latencies[fieldPlace] - widest.total)
        return widest
    }

    /// Returns the latency of the chains before the ears, and after them.
    func total(for latencies: [Int]) -> InsertLatency {
        InsertLatency(beforeEars: latency(latencies).total, afterEars: latencies[ears])
    }
}

/// Latency of the chains, frames.
package struct InsertLatency: Hashable, Sendable {
    /// Up to the ears, the same for all programmes.
    package var beforeEars = 0
    /// After the ears.
    package var afterEars = 0

    /// Holds a latency; see the properties.
    package init(beforeEars: Int = 0, afterEars: Int = 0) {
        self.beforeEars = beforeEars
        self.afterEars = afterEars
    }

    /// Sum of both.
    package var total: Int { beforeEars + afterEars }
}
