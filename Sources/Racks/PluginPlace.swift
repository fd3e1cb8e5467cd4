import Inserts
import Loading
import Rendering
import Soundstage

/// Place in the signal path at which a chain of plugins can be inserted.
///
/// | name | place |
/// |---|---|
/// | `main`, an input's name | all loudspeakers of that input, before binaural rendering |
/// | `field` | the sound field |
/// | an effect's name | all loudspeakers of that effect, which play its input signal |
/// | `FC`, `NAME/FC` | one virtual loudspeaker, of the main programme or of input `NAME` |
/// | `ears` | the two ears, before the output limiter |
package struct PluginPlace: Hashable {
    /// Name of the place.
    package let name: String
    /// Index in `InsertPlaces`.
    package let index: Int
    /// Number of channels.
    package let channels: Int

    /// Name of the place at the ears.
    package static let ears = "ears"
    /// Name of the place of the sound field.
    package static let field = "field"

    private init(name: String, index: Int, channels: Int) {
        self.name = name
        self.index = index
        self.channels = channels
    }

    /// Finds a place by its name.
    ///
    /// - Throws: a usage error that lists the available places.
    package init(_ name: String, among places: [PluginPlace]) throws(SessionError) {
        guard let found = places.first(where: { $0.name == name || $0.name == "main/\(name)" }) else {
            let known = places.map { Self.plain($0.name) }
            throw SessionError(
                .usage, "there is no place '\(name)' for a plugin; there are \(known.joined(separator: ", "))")
        }
        self = found
    }

    /// Returns the name of a place without `main/`, as it is typed for a loudspeaker of the main programme.
    static func plain(_ name: String) -> String { name.hasPrefix("main/") ? String(name.dropFirst(5)) : name }

    /// Returns all places of a stage that renders to two ears.
    package static func all(on stage: StageConfiguration, _ inserts: InsertRenderer) -> [PluginPlace] {
        let places = inserts.places
        return all(of: stage.programmes.map { ($0.programme.name, $0.programme.layout) }, places)
            + [PluginPlace(name: ears, index: places.ears, channels: 2)]
    }

    /// Returns the places of programmes and their loudspeakers.
    package static func all(of programmes: [(name: String, layout: Layout)], _ places: InsertPlaces) -> [PluginPlace] {
        var found: [PluginPlace] = []
        var source = 0
        for (index, programme) in programmes.enumerated() {
            let isField = programme.layout.ambisonics != nil
            found.append(
                PluginPlace(
                    name: isField ? field : programme.name, index: places.programme(index),
                    channels: programme.layout.channelCount))
            guard !isField else { continue }
            for channel in programme.layout.channelNames {
                found.append(
                    PluginPlace(
                        name: "\(programme.name)/\(channel.symbol)", index: places.loudspeaker(source), channels: 1))
                source += 1
            }
        }
        return found
    }
}
