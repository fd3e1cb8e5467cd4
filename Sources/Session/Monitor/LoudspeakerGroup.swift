import Soundstage

/// Loudspeakers that are switched together, by where they stand.
package enum LoudspeakerGroup: String, Sendable, CaseIterable {
    /// At ear height within 75° of the front: left, right, centre and wides.
    case front
    /// At ear height beyond that: sides and backs.
    case surrounds
    /// More than 20° above or below.
    case heights

    /// Whether a loudspeaker is one of them; that of low frequencies is none's.
    func contains(_ loudspeaker: Loudspeaker) -> Bool {
        guard !loudspeaker.isLowFrequency else { return false }
        let isHigh = abs(loudspeaker.elevationDegrees) > 20
        let isAhead = abs(loudspeaker.azimuthDegrees) <= 75
        return switch self {
        case .front: !isHigh && isAhead
        case .surrounds: !isHigh && !isAhead
        case .heights: isHigh
        }
    }
}
