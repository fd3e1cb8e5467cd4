/// What is wrong with a map of a control surface, and where.
package struct SurfaceMapError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Where in the map, as `bindings[2].control`; empty for the whole.
    package let place: String
    /// What is wrong there.
    package let fault: String

    init(_ place: String, _ fault: String) { (self.place, self.fault) = (place, fault) }

    /// Both in a sentence.
    package var description: String { "the control map's \(place.isEmpty ? "text" : place) \(fault)" }
}
