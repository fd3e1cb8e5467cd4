/// Where a stage has chains of plugins: each a row of channels that pass by on the audio thread.
///
/// Sound passes, in this order, the chain of its programme (or of the sound field), that of its loudspeaker, and that
/// after the ears. Programmes and loudspeakers lie side by side, so each of them is made as late as the latest.
///
/// Effects are programmes that are fed with what the others play where these are alike, after their chains and what
/// makes them late. So a way through an effect is longer by the effect's chain: with P the latest programme and E the
/// latest effect, effects come out of their place P + E late, and the loudspeakers of the others wait for E more.
package struct InsertPlaces: Hashable, Sendable {
    /// Channels of each programme's stage.
    package let programmes: [Int]
    /// Which of the programmes are effects.
    package let effects: [Bool]
    /// Loudspeakers of all programmes, in their order.
    package let loudspeakers: Int
    /// Channels of the sound field; 0 without one.
    package let field: Int

    /// The places of a stage; `effects` says of each programme whether it is one, nil: none is.
    package init(programmes: [Int], effects: [Bool]? = nil, field: Int) {
        self.programmes = programmes
        self.effects = effects ?? .init(repeating: false, count: programmes.count)
        loudspeakers = programmes.reduce(0, +)
        self.field = field
    }

    /// Number of places.
    package var count: Int { programmes.count + loudspeakers + 4 }
    /// Channels of each place.
    package var channels: [Int] {
        programmes + [Int](repeating: 1, count: loudspeakers) + [field, 2, 2, 2]
    }
    /// The place of a programme.
    package func programme(_ index: Int) -> Int { index }
    /// The place of a loudspeaker, counted through all programmes.
    package func loudspeaker(_ source: Int) -> Int { programmes.count + source }
    /// The place of the sound field.
    package var fieldPlace: Int { programmes.count + loudspeakers }
    /// What goes to the ears past the filters: without a chain, but as late as the loudspeakers.
    package var past: Int { fieldPlace + 1 }
    /// After the ears.
    package var ears: Int { fieldPlace + 2 }
    /// What goes to the ears past the filters, of effects.
    package var effectsPast: Int { fieldPlace + 3 }

    /// How late each place's chain must be made, given the latency of each: so that all ways to the ears are alike.
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

    /// How much later each place fades than the programmes, given the latency of each: by as much as their sound takes
    /// longer to the ears. So what changes in several places is heard as one.
    func lags(for latencies: [Int]) -> [Int] {
        let widest = latency(latencies)
        let behind = widest.effects + widest.loudspeakers
        return effects.map { $0 ? widest.effects : 0 } + [Int](repeating: behind, count: loudspeakers + 4)
    }

    /// The latest of each kind, all of which a way through an effect passes.
    private struct Widest {
        var programmes = 0
        var effects = 0
        var loudspeakers = 0
        var total: Int { programmes + effects + loudspeakers }
    }

    /// The latest programme, effect and loudspeaker; a field passes none of them, and what is later waits with the
    /// programmes.
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

    /// How late chains make what comes in at the ears, and after the ears.
    func total(for latencies: [Int]) -> InsertLatency {
        InsertLatency(beforeEars: latency(latencies).total, afterEars: latencies[ears])
    }
}

/// Frames by which chains make sound late.
package struct InsertLatency: Hashable, Sendable {
    /// On the way to the ears, alike for all programmes.
    package var beforeEars = 0
    /// After the ears.
    package var afterEars = 0

    /// A latency; see the properties.
    package init(beforeEars: Int = 0, afterEars: Int = 0) {
        self.beforeEars = beforeEars
        self.afterEars = afterEars
    }

    /// Both.
    package var total: Int { beforeEars + afterEars }
}
