import Soundstage

extension FieldScale {
    /// Reports a field whose levels contradict the stated convention. The conventions have their names on the command
    /// line, such as `ambix`. Nil if nothing contradicts it.
    package var fault: InputFault? {
        found.map { .otherScale(found: Self.word($0), said: Self.word(said)) }
    }

    private static func word(_ convention: AmbisonicFormat.Convention) -> String {
        convention == .sn3d ? "ambix" : convention.rawValue
    }
}
