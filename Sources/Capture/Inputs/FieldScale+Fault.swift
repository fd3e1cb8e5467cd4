import Soundstage

extension FieldScale {
    /// Fault of the convention, in the terms of the command line; nil if there is none.
    package var fault: InputFault? {
        found.map { .otherScale(found: Self.word($0), said: Self.word(said)) }
    }

    private static func word(_ convention: AmbisonicFormat.Convention) -> String {
        convention == .sn3d ? "ambix" : convention.rawValue
    }
}
