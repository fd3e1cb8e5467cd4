import Geometry
import Soundstage

extension StageSettings {
    /// The layout of a name or a JSON file's path, at the angles and in the convention chosen here.
    ///
    /// - Throws: what is wrong with the name or the file.
    func layout(named name: String) throws(SessionError) -> Layout {
        do throws(SoundstageError) {
            if name.hasSuffix(".json") || name.contains("/") { return try Layout(jsonAt: name) }
            return try Layout.named(
                name, angles: angles == .dolby ? .dolby : .itu, ambisonics: convention)
        } catch {
            throw SessionError(error)
        }
    }

    private var convention: AmbisonicFormat.Convention {
        switch ambisonics {
        case .sn3d: .sn3d
        case .n3d: .n3d
        case .fuma: .fuma
        }
    }
}
