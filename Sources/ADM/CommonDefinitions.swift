/// Common definitions of ITU-R BS.2094: identifiers whose last four hexadecimal digits are below 1000 need no
/// definition in the file.
enum CommonDefinitions {
    /// Returns name and label of the loudspeaker for the identifier of an audioChannelFormat; nil if BS.2094 defines
    /// none.
    static func loudspeaker(_ identifier: String) -> (name: String, label: String)? {
        guard TypeDefinition(identifier: identifier) == .directSpeakers, let number = number(identifier),
            loudspeakers.indices.contains(number - 1)
        else { return nil }
        return loudspeakers[number - 1]
    }

    /// Returns the channel of a sound field for the identifier of an audioChannelFormat; nil if BS.2094 defines none.
    /// The last four digits begin at 0001 for SN3D, at 0101 for N3D and at 0201 for Furse-Malham. The channels of each
    /// normalisation are in ACN order.
    static func harmonic(_ identifier: String) -> DefinedHarmonic? {
        guard TypeDefinition(identifier: identifier) == .hoa, let number = number(identifier) else { return nil }
        // BS.2094 ends at order 6 for SN3D and N3D, at order 3 for Furse-Malham.
        let (scale, last) =
            switch number >> 8 {
            case 0: (DefinedHarmonic.Scale.sn3d, 49)
            case 1: (DefinedHarmonic.Scale.n3d, 49)
            case 2: (DefinedHarmonic.Scale.fuma, 16)
            default: (DefinedHarmonic.Scale.sn3d, 0)
            }
        let place = number & 0xFF
        guard (1...max(1, last)).contains(place), last > 0 else { return nil }
        return DefinedHarmonic(acn: place - 1, scale: scale)
    }

    /// Whether an audioChannelFormat is one ear of a binaural signal.
    static func isEar(_ identifier: String) -> Bool { identifier == "AC_00050001" || identifier == "AC_00050002" }

    private static func number(_ identifier: String) -> Int? {
        identifier.utf8.count == 11 ? Int(identifier.suffix(4), radix: 16) : nil
    }

    /// Loudspeakers in the order of their identifiers, from 0001 without gaps.
    private static let loudspeakers: [(name: String, label: String)] = [
        ("FrontLeft", "M+030"), ("FrontRight", "M-030"), ("FrontCentre", "M+000"), ("LowFrequencyEffects", "LFE"),
        ("SurroundLeft", "M+110"), ("SurroundRight", "M-110"), ("FrontLeftOfCentre", "M+022"),
        ("FrontRightOfCentre", "M-022"), ("BackCentre", "M+180"), ("SideLeft", "M+090"), ("SideRight", "M-090"),
        ("TopCentre", "T+000"), ("TopFrontLeft", "U+030"), ("TopFrontCentre", "U+000"), ("TopFrontRight", "U-030"),
        ("TopSurroundLeft", "U+110"), ("TopBackCentre", "U+180"), ("TopSurroundRight", "U-110"),
        ("TopSideLeft", "U+090"), ("TopSideRight", "U-090"), ("BottomFrontCentre", "B+000"),
        ("BottomFrontLeftMid", "B+045"), ("BottomFrontRightMid", "B-045"), ("FrontLeftWide", "M+060"),
        ("FrontRightWide", "M-060"), ("BackLeftMidDiffuse", "M+135_Diff"), ("BackRightMidDiffuse", "M-135_Diff"),
        ("BackLeftMid", "M+135"), ("BackRightMid", "M-135"), ("TopBackLeftMid", "U+135"),
        ("TopBackRightMid", "U-135"), ("LowFrequencyEffectsL", "LFEL"), ("LowFrequencyEffectsR", "LFER"),
        ("TopFrontLeftMid", "U+045"), ("TopFrontRightMid", "U-045"), ("FrontLeftScreen", "M+SC"),
        ("FrontRightScreen", "M-SC"), ("FrontLeftMid", "M+045"), ("FrontRightMid", "M-045"),
        ("UpperTopBackCentre", "UH+180"),
    ]
}
