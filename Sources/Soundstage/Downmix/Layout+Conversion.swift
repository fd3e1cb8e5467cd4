import Geometry
import Signal

/// Conversion of a programme from one layout to another, without binaural filters.
extension Layout {
    /// Returns the matrix that converts this layout's channels to the channels of `target`. Not for the audio thread;
    /// takes up to some hundred milliseconds for sound fields.
    ///
    /// | from, to | by |
    /// |---|---|
    /// | loudspeakers, loudspeakers | to the same loudspeaker at gain 1 if the target has it, else panned, see below |
    /// | any, stereo | `stereoFoldDown`: ITU-R BS.775-4 |
    /// | loudspeakers, lcr or 3.1 | the centre to the centre, others as in `stereoFoldDown`: BS.775-4's 3/0 |
    /// | loudspeakers, mono | 0.7071 of each side of the fold-down: 1 for the centre, 0.5 for surrounds (BS.775-4) |
    /// | loudspeakers, field | each channel as a plane wave from its direction |
    /// | field, loudspeakers | `AllRoundDecoder` |
    /// | field, mono | the field's omnidirectional channel |
    /// | field, field | order truncated or padded with silence; channels reordered and scaled |
    ///
    /// A channel without its own loudspeaker in the target is panned with constant power (`LoudspeakerPanner`). If the
    /// target has a single pair of surrounds, sides and backs are sent to this pair, each to its own side.
    ///
    /// LFE is sent to LFE unchanged. If the target has no LFE, LFE is left out, as in BS.775, unless `lfeGain` sets a
    /// level. By BS.775 a programme carries LFE 10 dB below the level at which it is played, so +10 dB gives the level
    /// in the room. If the source has no LFE, the target's LFE is silent. Each loudspeaker's own gain applies.
    ///
    /// `choice` sets other levels for mono, stereo, lcr and 3.1, and for sides and backs that share one pair. It does
    /// not apply to sound fields.
    ///
    /// - Throws: `noLoudspeakers` if the target has only LFE.
    package func conversion(
        to target: Layout, lfeGain: Decibels? = nil, choice: FoldChoice = FoldChoice()
    ) throws(SoundstageError) -> ChannelMatrix {
        if let field = ambisonics {
            if let other = target.ambisonics { return Self.between(field, other) }
            return ChannelMatrix(inputCount: channelCount, gains: try Self.decoding(self, field, target))
        }
        let panner = target.ambisonics == nil ? LoudspeakerPanner(target) : nil
        guard target.ambisonics != nil || panner != nil else { throw .noLoudspeakers(layout: target.name) }
        let fold = stereoFoldDown(by: choice)
        let shared = target.sharedSurrounds(with: self)
        var columns: [[Double]] = []
        for (channel, loudspeaker) in loudspeakers.enumerated() {
            let level = loudspeaker.gain.amplitude
            if loudspeaker.isLowFrequency {
                columns.append(target.lowFrequencyColumn(lfeGain).map { $0 * level })
            } else if let field = target.ambisonics {
                columns.append(field.encoding(loudspeaker.direction).map { $0 * level })
            } else if let count = target.foldCount, count <= 2 {
                let (left, right) = fold[channel]
                columns.append(
                    count == 2
                        ? target.sided(Double(left), Double(right))
                        : [(Double(left) + Double(right)) * 0.5.squareRoot()])
            } else if let own = target.counterpart(of: loudspeaker, in: self) {
                let share = shared.contains(loudspeaker.symbol) ? choice.surroundSum.gain : 1
                columns.append(own.map { $0 * level * share })
            } else if target.foldCount != nil {
                columns.append(target.sided(Double(fold[channel].left), Double(fold[channel].right)))
            } else {
                columns.append((panner?.gains(loudspeaker.direction) ?? []).map { $0 * level })
            }
        }
        return ChannelMatrix(columns: columns, outputCount: target.channelCount)
    }

    /// Number of loudspeakers without LFE, if this layout is mono, stereo, lcr or 3.1. Channels are folded down to
    /// these layouts by formula, and panned to all others. Nil for all others, also for a layout from a file with such
    /// a name and other channels.
    private var foldCount: Int? {
        guard ["mono", "stereo", "lcr", "3.1"].contains(name), let own = try? Layout.named(name),
            own.loudspeakers.map(\.symbol) == loudspeakers.map(\.symbol)
        else { return nil }
        return loudspeakers.filter { !$0.isLowFrequency }.count
    }

    /// Returns the gains of a channel that has its own loudspeaker here: one with the same symbol, for mono the centre,
    /// or a surround if this layout has a single pair. Returns nil for any other channel.
    private func counterpart(of loudspeaker: Loudspeaker, in source: Layout) -> [Double]? {
        var found = loudspeakers.firstIndex { $0.symbol == loudspeaker.symbol }
        if found == nil, loudspeaker.symbol == Channel.monoFront.rawValue {
            found = loudspeakers.firstIndex { $0.symbol == Channel.frontCentre.rawValue }
        }
        let pairs: [(Channel, Channel)] = [
            (.backLeft, .sideLeft), (.backRight, .sideRight), (.sideLeft, .backLeft), (.sideRight, .backRight),
        ]
        for (from, to) in pairs where found == nil && loudspeaker.symbol == from.rawValue {
            found = loudspeakers.firstIndex { $0.symbol == to.rawValue }
        }
        return found.map { index in loudspeakers.indices.map { $0 == index ? 1 : 0 } }
    }

    /// Returns the symbols of sides and backs if the source has both pairs and this layout has only one. Otherwise the
    /// set is empty.
    private func sharedSurrounds(with source: Layout) -> Set<String> {
        func has(_ layout: Layout, _ channel: Channel) -> Bool {
            layout.loudspeakers.contains { $0.symbol == channel.rawValue }
        }
        guard has(source, .sideLeft), has(source, .backLeft), has(self, .sideLeft) != has(self, .backLeft) else {
            return []
        }
        return Set([Channel.sideLeft, .sideRight, .backLeft, .backRight].map(\.rawValue))
    }

    /// Returns gains in the channel order of this layout. Channels that are neither left nor right have 0.
    private func sided(_ left: Double, _ right: Double) -> [Double] {
        loudspeakers.map { $0.azimuthDegrees > 0 ? left : $0.azimuthDegrees < 0 ? right : 0 }
    }

    /// Returns the gains of an LFE channel in this layout.
    private func lowFrequencyColumn(_ gain: Decibels?) -> [Double] {
        if let index = loudspeakers.firstIndex(where: \.isLowFrequency) {
            return loudspeakers.indices.map { $0 == index ? 1 : 0 }
        }
        var column = [Double](repeating: 0, count: channelCount)
        guard let gain else { return column }
        if let ambisonics {
            // LFE has no direction, so it is sent only to the omnidirectional channel.
            let whole = ambisonics.encoding(Direction(azimuthDegrees: 0, elevationDegrees: 0))
            for channel in column.indices where ambisonics.place(ofChannel: channel).acn == 0 {
                column[channel] = whole[channel] * gain.amplitude
            }
            return column
        }
        return column.map { _ in gain.amplitude / Double(channelCount).squareRoot() }
    }

    private static func decoding(
        _ source: Layout, _ field: AmbisonicFormat, _ target: Layout
    ) throws(SoundstageError) -> [[Double]] {
        switch target.name {
        case "stereo":
            let fold = source.stereoFoldDown
            return target.loudspeakers.map { loudspeaker in
                fold.map { Double(loudspeaker.azimuthDegrees > 0 ? $0.left : $0.right) }
            }
        case "mono":
            return [
                (0..<field.channelCount).map {
                    field.place(ofChannel: $0).acn == 0 ? field.place(ofChannel: $0).gain : 0
                }
            ]
        default:
            guard let rows = AllRoundDecoder.matrix(of: field, for: target) else {
                throw .noLoudspeakers(layout: target.name)
            }
            return rows
        }
    }

    private static func between(_ from: AmbisonicFormat, _ to: AmbisonicFormat) -> ChannelMatrix {
        ChannelMatrix(
            inputCount: from.channelCount,
            gains: (0..<to.channelCount).map { output in
                let wanted = to.place(ofChannel: output)
                return (0..<from.channelCount).map { input in
                    let given = from.place(ofChannel: input)
                    return given.acn == wanted.acn ? given.gain / wanted.gain : 0
                }
            })
    }
}

extension ChannelMatrix {
    /// Returns this matrix, which converts the field `source`, with further columns. The input of these columns is a
    /// sound that the field contains, delivered separately at the higher `order` (ACN, SN3D). The columns add only the
    /// detail that the field lacks. Returns nil if nothing is gained: `source` is no field or has at least this order,
    /// or `target` is too coarse.
    package func resolving(_ order: Int, of source: Layout, to target: Layout) throws(SoundstageError) -> ChannelMatrix?
    {
        guard let field = source.ambisonics, field.order < order else { return nil }
        let fine = try Layout(AmbisonicFormat(order: order)).conversion(to: target)
        let coarse = try Layout(AmbisonicFormat(order: field.order)).conversion(to: target)
        let lacking = zip(fine.gains, coarse.gains).map { fine, coarse in
            fine.indices.map { $0 < coarse.count ? fine[$0] - coarse[$0] : fine[$0] }
        }
        guard lacking.contains(where: { row in row.contains { abs($0) > 1e-9 } }) else { return nil }
        return ChannelMatrix(inputCount: inputCount + fine.inputCount, gains: zip(gains, lacking).map { $0 + $1 })
    }
}

extension AmbisonicFormat {
    /// Returns the amplitude of a plane wave in each channel, in this format's order and scale.
    package func encoding(_ direction: Direction<Stage>) -> [Double] {
        let harmonics = SphericalHarmonics.values(order: order, direction)
        return (0..<channelCount).map { channel in
            let (acn, gain) = place(ofChannel: channel)
            return harmonics[acn] / gain
        }
    }
}
