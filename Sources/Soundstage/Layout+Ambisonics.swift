import Geometry

extension Layout {
    /// Every name there is.
    package static var allNames: [String] { names + AmbisonicFormat.names }

    /// A sound field in place of loudspeakers.
    package init(_ format: AmbisonicFormat) {
        self.init(name: "ambi\(format.order)", loudspeakers: [])
        ambisonics = format
    }

    /// The order of a sound field's name; nil for other names.
    package static func ambisonicOrder(of name: String) -> Int? {
        AmbisonicFormat.names.firstIndex(of: name).map { $0 + 1 }
    }

    /// The name of the sound field with this many channels; nil if none has.
    static func ambisonicName(withChannels count: Int) -> String? {
        (1...SphericalHarmonics.maximumOrder).first { SphericalHarmonics.count(order: $0) == count }.map { "ambi\($0)" }
    }
}
