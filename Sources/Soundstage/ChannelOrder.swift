import Signal

/// Channel order of a programme that has no channel mask.
package enum ChannelOrder: String, CaseIterable, Hashable, Sendable {
    /// In the order of the bits of WAVE_FORMAT_EXTENSIBLE: L R C LFE Lb Rb, wides, Cs, Ls Rs, then heights.
    case wave
    /// SMPTE ST 2067-8 and ITU: L R C LFE Ls Rs Lb Rb Cs, wides, then heights from front to back.
    case smpte
    /// Film and Pro Tools: L C R, wides, Ls Rs Lb Rb Cs, LFE, then heights from front to back.
    case film

    /// The standard channels in this order.
    private var ranking: [Channel] {
        let sides: [Channel] = [.sideLeft, .sideRight, .backLeft, .backRight, .backCentre]
        let wides: [Channel] = [.wideLeft, .wideRight]
        let heights: [Channel] = [
            .topFrontLeft, .topFrontRight, .topSideLeft, .topSideRight, .topBackLeft, .topBackRight,
        ]
        switch self {
        case .wave: return Channel.allCases.sorted { $0.waveMask < $1.waveMask }
        case .smpte:
            return [.monoFront, .frontLeft, .frontRight, .frontCentre, .lowFrequency] + sides + wides + heights
        case .film:
            return [.monoFront, .frontLeft, .frontCentre, .frontRight] + wides + sides + [.lowFrequency] + heights
        }
    }

    /// Returns the rank of a channel symbol. The rank of a symbol without a standard channel is `Int.max`.
    func rank(_ symbol: String) -> Int { ranking.firstIndex { $0.rawValue == symbol } ?? Int.max }
}

extension Layout {
    /// Returns the same loudspeakers in another channel order. Loudspeakers without a standard channel come last, in
    /// their present order.
    package func ordered(_ order: ChannelOrder) -> Layout {
        let ranked = loudspeakers.enumerated().sorted {
            (order.rank($0.element.symbol), $0.offset) < (order.rank($1.element.symbol), $1.offset)
        }
        return Layout(name: name, loudspeakers: ranked.map(\.element))
    }

    /// The same loudspeakers in the order of a channel mask, if each has a bit of its own in the mask. Any other
    /// layout, and a sound field, is unchanged.
    package var inMaskOrder: Layout {
        let bits = loudspeakers.compactMap(\.waveMask)
        guard ambisonics == nil, Set(bits).count == loudspeakers.count else { return self }
        let sorted = loudspeakers.sorted { ($0.waveMask ?? 0) < ($1.waveMask ?? 0) }
        return Layout(name: name, loudspeakers: sorted)
    }
}
