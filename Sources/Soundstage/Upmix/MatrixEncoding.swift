import Signal

/// Gains of a stage's channels in the two channels Lt and Rt of a 5-2-5 or 7-2-7 matrix.
///
/// | channel | Lt | Rt |
/// |---|---|---|
/// | left; right | 1; 0 | 0; 1 |
/// | centre | √½ | √½ |
/// | surround left | √(19/25), −1.2 dB | −√(6/25), −6.2 dB |
/// | surround right | √(6/25) | −√(19/25) |
///
/// These are the gains of Dolby Pro Logic II (Dolby's consumer encoder guidelines; Gundry, AES 19th Conference, 2001).
/// Its encoder also shifts both surrounds by 90°. Shifted or not, a surround has opposite polarity in Lt and Rt, as in
/// the table, so the decoder is the same. Back surrounds are added as in Pro Logic IIx, before the gains of the table:
/// −1.2 dB to the surround of their own side, and −6.2 dB to the other. LFE and heights are not encoded.
struct MatrixEncoding: Sendable {
    /// A channel of the stage, with its gains in Lt and Rt.
    struct Source: Sendable {
        let channel: Channel
        let left: Double, right: Double

        /// Whether both gains have the same polarity. The gains of surrounds have opposite polarity.
        var isInFront: Bool { left * right >= 0 }
    }

    /// Sources in order around the circle, from the front left. The third one is the front right.
    let sources: [Source]

    /// Gains of a surround in the channel of its own side and in the other channel.
    static let near = (19.0 / 25).squareRoot(), far = (6.0 / 25).squareRoot()

    /// Returns the encoding of five sources, with the given surrounds.
    static func fiveTwoFive(surrounds: (left: Channel, right: Channel)) -> MatrixEncoding {
        let root = 0.5.squareRoot()
        return MatrixEncoding(sources: [
            Source(channel: .frontLeft, left: 1, right: 0), Source(channel: .frontCentre, left: root, right: root),
            Source(channel: .frontRight, left: 0, right: 1),
            Source(channel: surrounds.right, left: far, right: -near),
            Source(channel: surrounds.left, left: near, right: -far),
        ])
    }

    /// Encoding of seven sources, with sides and backs.
    static var sevenTwoSeven: MatrixEncoding {
        let five = fiveTwoFive(surrounds: (.sideLeft, .sideRight)).sources
        let (right, left) = (five[3], five[4])
        func back(_ channel: Channel, _ own: Source, _ other: Source) -> Source {
            Source(
                channel: channel, left: near * own.left + far * other.left, right: near * own.right + far * other.right)
        }
        return MatrixEncoding(
            sources: five[...3] + [back(.backRight, right, left), back(.backLeft, left, right), left])
    }

    /// Makes the encoding of a layout's loudspeakers: seven sources if the layout has sides and backs, otherwise five.
    /// Returns nil without front pair, centre and surrounds.
    init?(_ layout: Layout) {
        func has(_ channels: Channel...) -> Bool {
            channels.allSatisfy { channel in layout.loudspeakers.contains { $0.symbol == channel.rawValue } }
        }
        guard has(.frontLeft, .frontRight, .frontCentre) else { return nil }
        let (sides, backs) = (has(.sideLeft, .sideRight), has(.backLeft, .backRight))
        switch (sides, backs) {
        case (true, true): self = .sevenTwoSeven
        case (true, false): self = .fiveTwoFive(surrounds: (.sideLeft, .sideRight))
        case (false, true): self = .fiveTwoFive(surrounds: (.backLeft, .backRight))
        case (false, false): return nil
        }
    }

    private init(sources: [Source]) { self.sources = sources }
}
