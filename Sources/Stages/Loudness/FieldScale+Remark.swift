import Capture
import Soundstage

/// What is said of a sound field whose W has another scale than was said.
extension FieldScale {
    /// The convention that fits where the one that was said does not, of those that fields of an order are written in.
    package func found(order: Int) -> AmbisonicFormat.Convention? {
        // No higher order is written in Furse-Malham.
        found.flatMap { $0 == .fuma && order > 3 ? nil : $0 }
    }
}

extension AmbisonicFormat.Convention {
    /// Remarks about a field with W as loud as in this convention, which was said to be in another.
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
