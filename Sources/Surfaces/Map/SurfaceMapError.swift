/// Fault in the map of a control surface, and its position.
package struct SurfaceMapError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Position in the map, for example `bindings[2].control`; empty for the whole map.
    package let place: String
    /// Fault at that position.
    package let fault: String

    init(_ place: String, _ fault: String) { (self.place, self.fault) = (place, fault) }

    /// Position and fault as a sentence.
    package var description: String { "the control map's \(place.isEmpty ? "text" : place) \(fault)" }
}
