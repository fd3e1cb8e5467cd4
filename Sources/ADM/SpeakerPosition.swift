/// Position of a loudspeaker of a bed, or its role as a low-frequency channel.
package struct SpeakerPosition: Hashable, Sendable {
    /// Azimuth, counter-clockwise from the front, degrees, −180…180: +90 is left.
    package let azimuthDegrees: Double
    /// Elevation above the horizontal plane, degrees, −90…90.
    package let elevationDegrees: Double
    /// Number of a low-frequency channel, 1 or 2; nil for all others.
    package let lowFrequency: Int?

    /// Makes a position, or a low-frequency channel.
    package init(_ azimuthDegrees: Double, _ elevationDegrees: Double = 0, lowFrequency: Int? = nil) {
        self.azimuthDegrees = azimuthDegrees
        self.elevationDegrees = elevationDegrees
        self.lowFrequency = lowFrequency
    }

    /// Makes the position for the label of a loudspeaker (speakerLabel of an audioBlockFormat). Returns nil for an
    /// unknown label.
    ///
    /// Known are labels as in ITU-R BS.2051-3, with any azimuth, with or without the prefix
    /// `urn:itu:bs:2051:…:speaker:`. The elevations are nominal: upper layer at 30°, UH at 45°, bottom layer at −30°.
    /// The abbreviations of film sound (Dolby Atmos Master ADM Profile 1.1, beds) are known too, with or without
    /// Dolby's prefix `RC_`.
    init?(label: String) {
        let whole = label.hasPrefix("urn:") ? String(label.split(separator: ":").last ?? "") : label
        let own = whole.hasPrefix("RC_") ? String(whole.dropFirst(3)) : whole
        if let found = Self.standard(own) {
            self = found
        } else if let found = Self.roles[own] {
            self = found
        } else {
            return nil
        }
    }

    /// Returns the position of a label with layer, sign and azimuth, such as `M+030`, `U-110` or `UH+180`. The labels
    /// without an azimuth `M+SC` and `M-SC`, and those of low-frequency channels, are known too. Returns nil for other
    /// labels.
    private static func standard(_ label: String) -> SpeakerPosition? {
        switch label {
        case "LFE", "LFE1", "LFEL": return SpeakerPosition(0, lowFrequency: 1)
        case "LFE2", "LFER": return SpeakerPosition(0, lowFrequency: 2)
        // Edges of a screen, at the position in BS.2094.
        case "M+SC": return SpeakerPosition(25)
        case "M-SC": return SpeakerPosition(-25)
        default: break
        }
        guard let sign = label.firstIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
        // Diffuse surrounds of BS.2094 have the positions of the direct ones.
        let digits = label[label.index(after: sign)...].replacing("_Diff", with: "")
        guard digits.count == 3, digits.allSatisfy({ ("0"..."9").contains($0) }), let degrees = Int(digits),
            degrees <= 180, let elevation = layers[String(label[..<sign])]
        else { return nil }
        // BS.2051 writes 22.5° as 22.
        let azimuth = degrees == 22 ? 22.5 : Double(degrees)
        return SpeakerPosition(label[sign] == "-" && degrees < 180 ? -azimuth : azimuth, elevation)
    }

    private static let layers: [String: Double] = ["M": 0, "U": 30, "UH": 45, "B": -30, "T": 90]

    /// Positions of the abbreviations of film sound.
    private static let roles: [String: SpeakerPosition] = {
        let pairs: [(names: [String], azimuth: Double, elevation: Double)] = [
            ([""], 30, 0), (["w"], 60, 0), (["s"], 110, 0), (["ss"], 90, 0), (["rs", "b", "bs", "sr"], 135, 0),
            (["c"], 22.5, 0), (["tf"], 45, 30), (["ts", "tm"], 90, 30), (["tr", "tb"], 135, 30),
        ]
        var found: [String: SpeakerPosition] = ["C": SpeakerPosition(0), "Cs": SpeakerPosition(180)]
        for pair in pairs {
            for name in pair.names {
                found["L" + name] = SpeakerPosition(pair.azimuth, pair.elevation)
                found["R" + name] = SpeakerPosition(-pair.azimuth, pair.elevation)
            }
        }
        return found
    }()
}
