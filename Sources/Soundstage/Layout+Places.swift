import Signal

/// Layouts from the positions of loudspeakers.
extension Layout {
    /// Position of a loudspeaker, as a file defines it.
    package struct Place: Hashable, Sendable {
        /// Azimuth, counter-clockwise from the front, degrees, −180…180. Not used for a low-frequency channel.
        package var azimuthDegrees: Double
        /// Elevation above the horizon, degrees, −90…90. Not used for a low-frequency channel.
        package var elevationDegrees: Double
        /// 1 or 2 for a low-frequency channel; nil for all others.
        package var lowFrequency: Int?
        /// Name in the file.
        package var name: String

        /// Makes a place; see the properties.
        package init(azimuthDegrees: Double, elevationDegrees: Double, lowFrequency: Int? = nil, name: String) {
            self.azimuthDegrees = azimuthDegrees
            self.elevationDegrees = elevationDegrees
            self.lowFrequency = lowFrequency
            self.name = name
        }
    }

    /// Returns the layout of loudspeakers at the given places, which must all differ.
    ///
    /// If the loudspeakers have the roles of a named layout (front, side, back and height), the result is this layout,
    /// in WAVE order. A single pair of surrounds may then be at side or back angles, a single pair of heights at front
    /// or side angles. Otherwise the layout is named after its channels, in the given order. Loudspeakers keep the
    /// given places, except in a named layout with `angles` = `.dolby`.
    ///
    /// - Returns: The layout, and for each channel of the layout the index of the place in `places`.
    package static func standing(at places: [Place], angles: Angles = .itu) -> (layout: Layout, places: [Int]) {
        let symbols = parts(of: places)
        for variant in variants(of: symbols) {
            for name in names {
                guard let channels = channels(of: name), channels.count == places.count else { continue }
                let order = channels.compactMap { channel in variant.firstIndex(of: channel.rawValue) }
                guard order.count == places.count else { continue }
                var found = loudspeakers(for: channels, angles: angles)
                for (channel, place) in order.enumerated() where angles == .itu && !found[channel].isLowFrequency {
                    found[channel].azimuthDegrees = places[place].azimuthDegrees
                    found[channel].elevationDegrees = places[place].elevationDegrees
                }
                return (Layout(name: name, loudspeakers: found), order)
            }
        }
        let found = zip(places, symbols).map { place, symbol in loudspeaker(symbol, place, among: symbols) }
        return (Layout(name: symbols.joined(separator: "+"), loudspeakers: found), Array(places.indices))
    }

    /// Returns a unique symbol for each place: from the first row of `partsByPlace` that matches and whose symbol is
    /// free, otherwise `plainSymbol`. Low-frequency channels are LFE and LFE2.
    private static func parts(of places: [Place]) -> [String] {
        var symbols = [String?](repeating: nil, count: places.count)
        for (index, place) in places.enumerated() {
            guard let number = place.lowFrequency else { continue }
            let isOnly = !places.contains { $0.lowFrequency == 1 }
            symbols[index] = number == 1 || isOnly ? Channel.lowFrequency.rawValue : "LFE2"
        }
        for part in partsByPlace {
            for (index, place) in places.enumerated() where symbols[index] == nil {
                let isThere =
                    part.elevations.contains(place.elevationDegrees)
                    && (part.azimuth.map { abs(abs(place.azimuthDegrees) - $0) < 0.5 } ?? true)
                let symbol = place.azimuthDegrees < 0 ? part.right : part.left
                if isThere, !symbols.contains(symbol) { symbols[index] = symbol }
            }
        }
        for (index, place) in places.enumerated() where symbols[index] == nil {
            let own = plainSymbol(of: place)
            let twins = symbols.count { $0 == own || $0?.hasPrefix(own + "-") == true }
            symbols[index] = twins == 0 ? own : "\(own)-\(twins + 1)"
        }
        return symbols.map { $0 ?? "" }
    }

    private typealias Part = (azimuth: Double?, elevations: ClosedRange<Double>, left: String, right: String)

    /// Nominal places of ITU-R BS.2051-3 and BS.2094: magnitude of the azimuth (nil stands for any), range of
    /// elevations, and the symbols on the left and on the right.
    private static let partsByPlace: [Part] = {
        let (ear, upper) = (-10.0...10, 20.0...60)
        return [
            (0, ear, "FC", "FC"), (30, ear, "FL", "FR"), (60, ear, "FWL", "FWR"), (90, ear, "SL", "SR"),
            (110, ear, "SL", "SR"), (135, ear, "BL", "BR"), (180, ear, "BC", "BC"), (22.5, ear, "FLC", "FRC"),
            (25, ear, "FLC", "FRC"), (45, ear, "FL", "FR"), (0, upper, "TFC", "TFC"), (45, upper, "TFL", "TFR"),
            (30, upper, "TFL", "TFR"), (90, upper, "TSL", "TSR"), (135, upper, "TBL", "TBR"),
            (110, upper, "TBL", "TBR"), (180, upper, "TBC", "TBC"), (nil, 80...90, "TC", "TC"),
        ]
    }()

    /// Returns a symbol of layer (U upper, M middle, B bottom), azimuth and side, such as `B045L`.
    private static func plainSymbol(of place: Place) -> String {
        let layer = place.elevationDegrees > 10 ? "U" : place.elevationDegrees < -10 ? "B" : "M"
        let degrees = "\(Int(abs(place.azimuthDegrees).rounded()))"
        let isMiddle = place.azimuthDegrees == 0 || abs(place.azimuthDegrees) == 180
        let side = isMiddle ? "" : place.azimuthDegrees > 0 ? "L" : "R"
        return layer + String(repeating: "0", count: 3 - degrees.utf8.count) + degrees + side
    }

    /// Returns the symbols in several variants: unchanged, with a single pair of surrounds renamed, with a single pair
    /// of heights renamed, and with both renamed. For a single centre the only variant is mono.
    private static func variants(of symbols: [String]) -> [[String]] {
        if symbols == [Channel.frontCentre.rawValue] { return [[Channel.monoFront.rawValue]] }
        func called(_ symbols: [String], _ names: [String: String], unless others: Set<String>) -> [String] {
            Set(symbols).isDisjoint(with: others) ? symbols.map { names[$0] ?? $0 } : symbols
        }
        let heights = called(symbols, ["TSL": "TFL", "TSR": "TFR"], unless: ["TFL", "TFR", "TBL", "TBR"])
        return [symbols, heights].flatMap { set in
            [
                set, called(set, ["BL": "SL", "BR": "SR"], unless: ["SL", "SR"]),
                called(set, ["SL": "BL", "SR": "BR"], unless: ["BL", "BR"]),
            ]
        }
    }

    private static func loudspeaker(_ symbol: String, _ place: Place, among symbols: [String]) -> Loudspeaker {
        let channel = Channel(rawValue: symbol)
        var mask = channel?.waveMask ?? rare.first { $0.value.symbol == symbol }?.key
        // If the set has no wides, the loudspeakers left and right of centre (FLC, FRC) get the mask bits of the wides.
        if symbol == "FLC" || symbol == "FRC", Set(symbols).isDisjoint(with: ["FWL", "FWR"]) {
            mask = symbol == "FLC" ? 0x40 : 0x80
        }
        return Loudspeaker(
            symbol: symbol, prettyName: channel?.prettyName ?? place.name,
            azimuthDegrees: place.lowFrequency == nil ? place.azimuthDegrees : 0,
            elevationDegrees: place.lowFrequency == nil ? place.elevationDegrees : 0,
            isLowFrequency: place.lowFrequency != nil, waveMask: mask)
    }
}
