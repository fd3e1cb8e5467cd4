import Soundstage

extension FieldScale {
    /// Fault of a field whose levels contradict the stated convention; nil without a contradiction. Conventions are
    /// named as on the command line, for example `ambix`.
    package var fault: InputFault? {
        found.map { .otherScale(found: Self.word($0), said: Self.word(said)) }
    }

    private static func word(_ convention: AmbisonicFormat.Convention) -> String {
        convention == .sn3d ? "ambix" : convention.rawValue
    }
}
