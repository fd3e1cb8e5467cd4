/// Groups of loudspeakers that are switched together. The direction determines the group.
package enum LoudspeakerGroup: String, Sendable, CaseIterable {
    /// At ear height within 75° of the front: left, right, centre and wides.
    case front
    /// At ear height more than 75° from the front: sides and backs.
    case surrounds
    /// More than 20° above or below ear height.
    case heights

    /// Returns whether a loudspeaker belongs to the group. An LFE loudspeaker belongs to no group.
    package func contains(_ loudspeaker: Loudspeaker) -> Bool {
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
