/// One channel of a loudspeaker layout, named by its role.
///
/// The raw value is the symbol in port names (`in_FL`) and session files. The symbols are those usual for the positions
/// of WAVE_FORMAT_EXTENSIBLE. That format has no positions for mono, front wide and top side; their symbols are `M`,
/// `FWL`, `FWR`, `TSL` and `TSR`.
package enum Channel: String, CaseIterable, Hashable, Sendable {
    case monoFront = "M"
    case frontLeft = "FL"
    case frontRight = "FR"
    case frontCentre = "FC"
    case lowFrequency = "LFE"
    case backLeft = "BL"
    case backRight = "BR"
    case backCentre = "BC"
    case sideLeft = "SL"
    case sideRight = "SR"
    case wideLeft = "FWL"
    case wideRight = "FWR"
    case topFrontLeft = "TFL"
    case topFrontRight = "TFR"
    case topSideLeft = "TSL"
    case topSideRight = "TSR"
    case topBackLeft = "TBL"
    case topBackRight = "TBR"

    /// Name for display in patchbays.
    package var prettyName: String {
        switch self {
        case .monoFront: "Mono"
        case .frontLeft: "Front Left"
        case .frontRight: "Front Right"
        case .frontCentre: "Front Centre"
        case .lowFrequency: "Low Frequency Effects"
        case .backLeft: "Back Left"
        case .backRight: "Back Right"
        case .backCentre: "Back Centre"
        case .sideLeft: "Side Left"
        case .sideRight: "Side Right"
        case .wideLeft: "Front Wide Left"
        case .wideRight: "Front Wide Right"
        case .topFrontLeft: "Top Front Left"
        case .topFrontRight: "Top Front Right"
        case .topSideLeft: "Top Side Left"
        case .topSideRight: "Top Side Right"
        case .topBackLeft: "Top Back Left"
        case .topBackRight: "Top Back Right"
        }
    }

    /// The channel's bit in WAVE_FORMAT_EXTENSIBLE's `dwChannelMask`. The wide channels use the bits of the front left
    /// and right of centre (FLC, FRC), as players of 9.1 do. The top side channels use the two lowest reserved bits,
    /// directly above TBR.
    package var waveMask: UInt32 {
        switch self {
        case .frontLeft: 0x1
        case .frontRight: 0x2
        case .frontCentre, .monoFront: 0x4
        case .lowFrequency: 0x8
        case .backLeft: 0x10
        case .backRight: 0x20
        case .backCentre: 0x100
        case .wideLeft: 0x40
        case .wideRight: 0x80
        case .sideLeft: 0x200
        case .sideRight: 0x400
        case .topFrontLeft: 0x1000
        case .topFrontRight: 0x4000
        case .topBackLeft: 0x8000
        case .topBackRight: 0x20000
        case .topSideLeft: 0x40000
        case .topSideRight: 0x80000
        }
    }
}
