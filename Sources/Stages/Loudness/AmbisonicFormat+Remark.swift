import Soundstage

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
