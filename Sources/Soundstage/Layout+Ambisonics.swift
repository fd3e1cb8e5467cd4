import Geometry

extension Layout {
    /// Names of all layouts, including sound fields.
    package static var allNames: [String] { names + AmbisonicFormat.names }

    /// Makes the layout of a sound field. It has no loudspeakers.
    package init(_ format: AmbisonicFormat) {
        self.init(name: "ambi\(format.order)", loudspeakers: [])
        ambisonics = format
    }

    /// Returns the order of the sound field with this name; nil for other names.
    package static func ambisonicOrder(of name: String) -> Int? {
        AmbisonicFormat.names.firstIndex(of: name).map { $0 + 1 }
    }

    /// Returns the name of the sound field with this number of channels; nil if there is none.
    static func ambisonicName(withChannels count: Int) -> String? {
        (1...SphericalHarmonics.maximumOrder).first { SphericalHarmonics.count(order: $0) == count }.map { "ambi\($0)" }
    }
}
