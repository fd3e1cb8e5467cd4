import Capture
import Soundstage

/// Remarks on a sound field whose W has a different scale from the declared one.
extension FieldScale {
    /// Returns the convention that fits the field where the declared one does not, if it exists at this order.
    package func found(order: Int) -> AmbisonicFormat.Convention? {
        // Furse-Malham is not defined above order 3.
        found.flatMap { $0 == .fuma && order > 3 ? nil : $0 }
    }
}

extension AmbisonicFormat.Convention {
    /// Returns a remark on a field whose W has the level of this convention, although another one was declared.
    package func remark(on name: String, said: Self) -> String {
        "\(name): W is as loud against the other channels as in \(title), not as in \(said.title): if that is what it is, "
            + "say --ambisonics \(rawValue)"
    }

    private var title: String {
        switch self {
        case .sn3d: "SN3D (AmbiX)"
        case .n3d: "N3D"
        case .fuma: "Furse-Malham"
        }
    }
}
