import Signal

/// Loudspeakers of a stage in channel order, which is the order of JACK ports and of a file's channels.
package struct Layout: Hashable, Sendable {
    /// Document that defines the loudspeakers' angles.
    package enum Angles: String, CaseIterable, Hashable, Sendable {
        /// ITU-R BS.2051-3, nominal angles: height loudspeakers at 30° elevation.
        case itu
        /// Dolby's room guidelines for Atmos: height loudspeakers at 45° elevation.
        case dolby
    }

    /// Name of a known layout, such as `7.1.4` or `ambi3`, or of a custom layout. For any other set of channels it
    /// consists of their symbols, joined by `+`.
    package var name: String
    /// Loudspeakers in channel order. Their symbols are unique. Empty only for a sound field.
    package var loudspeakers: [Loudspeaker]
    /// Sound field that is played instead of loudspeakers; nil for loudspeakers.
    package var ambisonics: AmbisonicFormat?

    /// Makes a layout of given loudspeakers.
    package init(name: String, loudspeakers: [Loudspeaker]) {
        self.name = name
        self.loudspeakers = loudspeakers
    }

    /// Names of the loudspeaker layouts, smallest first.
    package static let names = [
        "mono", "stereo", "lcr", "quad", "3.1", "5.0", "5.1", "6.1", "7.0", "7.1", "5.1.2", "5.1.4", "7.1.2", "7.1.4",
        "9.1.6",
    ]

    /// Names of layouts in ffmpeg, and the names of the same layouts here.
    static let otherNames = ["1.0": "mono", "2.0": "stereo", "3.0": "lcr"]

    /// Number of channels, including the LFE.
    package var channelCount: Int { ambisonics?.channelCount ?? loudspeakers.count }

    /// Names of the channels, in order: the symbol of the port, and the name for display.
    package var channelNames: [(symbol: String, pretty: String)] {
        if let ambisonics { return (0..<ambisonics.channelCount).map { ambisonics.name(ofChannel: $0) } }
        return loudspeakers.map { ($0.symbol, $0.prettyName) }
    }

    /// Returns the layout with this name. Loudspeakers are in WAVE order, a sound field's channels in the order of
    /// their convention.
    ///
    /// - Throws: `unknownLayout` with the known names; `noFurseMalham` for Furse-Malham above order 3.
    package static func named(
        _ name: String, angles: Angles = .itu, ambisonics convention: AmbisonicFormat.Convention = .sn3d
    ) throws(SoundstageError) -> Layout {
        if let order = ambisonicOrder(of: name) {
            return Layout(try AmbisonicFormat(order: order, convention: convention))
        }
        let name = otherNames[name] ?? name
        guard let channels = channels(of: name) else { throw .unknownLayout(name, known: allNames) }
        return Layout(name: name, loudspeakers: loudspeakers(for: channels, angles: angles))
    }

    /// Returns the names of the layouts with this number of channels. A sound field's name is last.
    package static func names(withChannels count: Int) -> [String] {
        names.filter { channels(of: $0)?.count == count } + [ambisonicName(withChannels: count)].compactMap(\.self)
    }

    /// Returns the channels of a named layout in WAVE order; nil for an unknown name.
    static func channels(of name: String) -> [Channel]? {
        let lcr: [Channel] = [.frontLeft, .frontRight, .frontCentre]
        let front = lcr + [.lowFrequency]
        let sides: [Channel] = [.sideLeft, .sideRight]
        let backs: [Channel] = [.backLeft, .backRight]
        let topFronts: [Channel] = [.topFrontLeft, .topFrontRight]
        let topBacks: [Channel] = [.topBackLeft, .topBackRight]
        switch name {
        case "mono": return [.monoFront]
        case "stereo": return [.frontLeft, .frontRight]
        case "lcr": return lcr
        case "quad": return [.frontLeft, .frontRight] + backs
        case "3.1": return front
        case "5.0": return lcr + sides
        case "5.1": return front + sides
        case "6.1": return front + [.backCentre] + sides
        case "7.0": return lcr + backs + sides
        case "7.1": return front + backs + sides
        case "5.1.2": return front + sides + topFronts
        case "5.1.4": return front + sides + topFronts + topBacks
        case "7.1.2": return front + backs + sides + topFronts
        case "7.1.4": return front + backs + sides + topFronts + topBacks
        case "9.1.6":
            let wides: [Channel] = [.wideLeft, .wideRight]
            return front + backs + wides + sides + topFronts + topBacks + [.topSideLeft, .topSideRight]
        default: return nil
        }
    }

    /// Returns the loudspeakers of a set of channels, at the angles of a document.
    ///
    /// In ITU-R BS.2051-3, stereo is system A (0+2+0), 5.1 is B (0+5+0), 5.1.2 is C (2+5+0), 5.1.4 is D (4+5+0), 7.1 is
    /// I (0+7+0) and 7.1.4 is J (4+7+0). 9.1.6 has the loudspeakers that it shares with H (9+10+3). Azimuths are
    /// nominal; the height layer is at the nominal elevation of 30°. In 5.1.x the surrounds are at ±110°, in 7.1.x at
    /// ±90° and ±135°. 7.1.2 has the heights of J. Three layouts are not in the recommendation: LCR is BS.775's 3/0,
    /// 6.1 is 5.1 with a back centre, and quad has the corners of a square, ±45° and ±135°.
    ///
    /// Dolby's "Home Theater Installation Guidelines" have the same angles at ear level and higher overhead
    /// loudspeakers. In the side view, the overhead loudspeakers are at angles of 45° and 135°, or about 80° for a
    /// single pair. Their distances to the side and above ear level are equal. Here their azimuth is 45°, 135° or 80°,
    /// and their elevation 45°. A third pair has the azimuth 90°.
    static func loudspeakers(for channels: [Channel], angles: Angles) -> [Loudspeaker] {
        let heights = channels.filter { $0.rawValue.hasPrefix("T") }.count
        let hasBothSurrounds = channels.contains(.sideLeft) && channels.contains(.backLeft)
        let isSquare = Set(channels) == [.frontLeft, .frontRight, .backLeft, .backRight]
        let height = angles == .dolby ? 45.0 : 30.0
        // BS.2051's systems C and D have the heights above the mid-layer loudspeakers; J has them at ±45° and ±135°.
        let topFront: Double
        let topBack: Double
        switch angles {
        case .itu: (topFront, topBack) = hasBothSurrounds ? (45, 135) : (30, 110)
        case .dolby: (topFront, topBack) = heights == 2 ? (80, 135) : (45, 135)
        }
        return channels.map { channel in
            switch channel {
            case .monoFront, .frontCentre, .lowFrequency: Loudspeaker(channel, azimuthDegrees: 0)
            case .frontLeft: Loudspeaker(channel, azimuthDegrees: isSquare ? 45 : 30)
            case .frontRight: Loudspeaker(channel, azimuthDegrees: isSquare ? -45 : -30)
            case .backCentre: Loudspeaker(channel, azimuthDegrees: 180)
            case .wideLeft: Loudspeaker(channel, azimuthDegrees: 60)
            case .wideRight: Loudspeaker(channel, azimuthDegrees: -60)
            case .sideLeft: Loudspeaker(channel, azimuthDegrees: hasBothSurrounds ? 90 : 110)
            case .sideRight: Loudspeaker(channel, azimuthDegrees: hasBothSurrounds ? -90 : -110)
            case .backLeft: Loudspeaker(channel, azimuthDegrees: hasBothSurrounds || isSquare ? 135 : 110)
            case .backRight: Loudspeaker(channel, azimuthDegrees: hasBothSurrounds || isSquare ? -135 : -110)
            case .topFrontLeft: Loudspeaker(channel, azimuthDegrees: topFront, elevationDegrees: height)
            case .topFrontRight: Loudspeaker(channel, azimuthDegrees: -topFront, elevationDegrees: height)
            case .topSideLeft: Loudspeaker(channel, azimuthDegrees: 90, elevationDegrees: height)
            case .topSideRight: Loudspeaker(channel, azimuthDegrees: -90, elevationDegrees: height)
            case .topBackLeft: Loudspeaker(channel, azimuthDegrees: topBack, elevationDegrees: height)
            case .topBackRight: Loudspeaker(channel, azimuthDegrees: -topBack, elevationDegrees: height)
            }
        }
    }
}
