import Signal

/// Layouts of files.
extension Layout {
    /// Returns the layout of a file, from its header.
    ///
    /// With a channel mask, any set of known positions is allowed, and the loudspeakers are in the file's own order. If
    /// the set is that of a named layout (5.1 with back or with side surrounds), the result is that layout. Otherwise
    /// the layout is named after its channels.
    ///
    /// Without a mask, the number of channels determines the layout. If several layouts have this number, or a sound
    /// field has it, an error is thrown.
    ///
    /// - Parameters:
    ///   - channelPositions: WAVE_FORMAT_EXTENSIBLE bit of each channel, in file order; nil if the file has no mask. If
    ///     the numbers of bits and of channels differ, the file counts as one without a mask.
    ///   - channelCount: Number of channels in the file.
    ///   - order: Order of the channels in a file without a mask.
    /// - Throws: `noLayoutForChannels` or `ambiguousChannels` for a file without a mask; `unknownPosition` for a bit
    ///   that stands for no loudspeaker.
    package static func forFile(
        channelPositions: [UInt32]?, channelCount: Int, order: ChannelOrder = .wave, angles: Angles = .itu
    ) throws(SoundstageError) -> Layout {
        if let channelPositions, channelPositions.count == channelCount {
            return try forPositions(channelPositions, angles: angles)
        }
        let candidates = names(withChannels: channelCount)
        guard let first = candidates.first else { throw .noLayoutForChannels(channelCount) }
        guard candidates.count == 1 && ambisonicOrder(of: first) == nil else {
            throw .ambiguousChannels(channelCount, layouts: candidates)
        }
        return try named(first, angles: angles).ordered(order)
    }

    /// Returns the layout of a file from its mask; nil stands for a file without a mask. The channels are in the order
    /// of the mask's bits.
    package static func forFile(
        channelMask: UInt32?, channelCount: Int, order: ChannelOrder = .wave, angles: Angles = .itu
    ) throws(SoundstageError) -> Layout {
        let positions = channelMask.map { mask in (0..<32).map { UInt32(1) << $0 }.filter { mask & $0 != 0 } }
        return try forFile(
            channelPositions: positions, channelCount: channelCount, order: order, angles: angles)
    }

    /// Returns this layout, with its loudspeakers in the order of a file's channels.
    ///
    /// A single pair of surrounds matches side or back positions in the file.
    ///
    /// - Throws: `fileDoesNotFit` if the file's channels are not those of this layout.
    package func arranged(as channelPositions: [UInt32]) throws(SoundstageError) -> Layout {
        var arranged: [Loudspeaker] = []
        for position in channelPositions {
            let match =
                loudspeakers.first { $0.waveMask == position }
                ?? loudspeakers.first { $0.waveMask == Self.otherSurround(position) }
            guard let match, !arranged.contains(match) else { break }
            arranged.append(match)
        }
        guard arranged.count == channelPositions.count, arranged.count == loudspeakers.count else {
            let symbols = channelPositions.map { Self.symbol(of: $0) ?? "?" }
            throw .fileDoesNotFit(layout: name, expected: loudspeakers.map(\.symbol), found: symbols)
        }
        return Layout(name: name, loudspeakers: arranged)
    }

    /// Returns the side channel for a back channel, and the reverse; nil for all others.
    private static func otherSurround(_ position: UInt32) -> UInt32? {
        switch position {
        case Channel.backLeft.waveMask: Channel.sideLeft.waveMask
        case Channel.backRight.waveMask: Channel.sideRight.waveMask
        case Channel.sideLeft.waveMask: Channel.backLeft.waveMask
        case Channel.sideRight.waveMask: Channel.backRight.waveMask
        default: nil
        }
    }

    private static func symbol(of position: UInt32) -> String? {
        Channel.allCases.first { $0.waveMask == position && $0 != .monoFront }?.rawValue
            ?? rare[position]?.symbol
    }

    /// Positions of the mask that no named layout has: symbol, name, azimuth and elevation in degrees. An elevation of
    /// −1 stands for the elevation of the height layer.
    static let rare: [UInt32: (symbol: String, name: String, azimuth: Double, elevation: Double)] = [
        0x800: ("TC", "Top Centre", 0, 90),
        0x2000: ("TFC", "Top Front Centre", 0, -1),
        0x10000: ("TBC", "Top Back Centre", 180, -1),
    ]

    private static func forPositions(_ positions: [UInt32], angles: Angles) throws(SoundstageError) -> Layout {
        let mask = positions.reduce(0, |)
        guard positions.count > 1 || positions.first != Channel.frontCentre.waveMask else {
            return try named("mono", angles: angles)
        }
        for name in names {
            let layout = try named(name, angles: angles)
            guard layout.channelCount == positions.count, let arranged = try? layout.arranged(as: positions) else {
                continue
            }
            return arranged
        }
        // If the mask has side and back surrounds, its positions left and right of centre stand for the wides of 9.1.6.
        // Otherwise they stand for loudspeakers at ±15°.
        let hasWides = mask & 0x630 == 0x630
        let height = angles == .dolby ? 45.0 : 30.0
        var channels: [Channel] = []
        for position in positions {
            if let channel = Channel.allCases.first(where: { $0.waveMask == position && $0 != .monoFront }) {
                channels.append(channel)
            }
        }
        let standing = loudspeakers(for: channels, angles: angles)
        var result: [Loudspeaker] = []
        for (index, position) in positions.enumerated() {
            if var loudspeaker = standing.first(where: { $0.waveMask == position }) {
                if !hasWides, position == 0x40 || position == 0x80 {
                    let isLeft = position == 0x40
                    loudspeaker.symbol = isLeft ? "FLC" : "FRC"
                    loudspeaker.prettyName = "Front \(isLeft ? "Left" : "Right") of Centre"
                    loudspeaker.azimuthDegrees = isLeft ? 15 : -15
                }
                result.append(loudspeaker)
            } else if let found = rare[position] {
                result.append(
                    Loudspeaker(
                        symbol: found.symbol, prettyName: found.name, azimuthDegrees: found.azimuth,
                        elevationDegrees: found.elevation < 0 ? height : found.elevation, waveMask: position))
            } else {
                throw .unknownPosition(channel: index + 1, bit: position)
            }
        }
        return Layout(name: result.map(\.symbol).joined(separator: "+"), loudspeakers: result)
    }
}
