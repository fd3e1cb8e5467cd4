import Convolution
import Geometry
import Inserts
import Rooms
import Signal
import Soundstage

extension StageRenderer {
    /// Returns which plugin chains a stage has, with their indices.
    static func places(_ configuration: StageConfiguration) -> InsertPlaces {
        let programmes = configuration.programmes.map(\.programme)
        return InsertPlaces(
            programmes: programmes.map(\.layout.channelCount),
            ways: programmes.map { $0.field != nil ? .field : $0.isEffect ? .effect : .loudspeakers })
    }

    /// Returns how each programme's feeds reach the ears.
    private static func ways(_ configuration: StageConfiguration, decoders: [AmbisonicRenderer?]) -> [ProgrammeWay] {
        var (source, voice) = (0, configuration.sources.count)
        return zip(configuration.programmes, decoders).map { stage, decoder in
            defer {
                source += stage.programme.loudspeakerCount
                voice += stage.voiceCount
            }
            return decoder.map { .field($0.handle.pointer, voices: voice) } ?? .loudspeakers(first: source)
        }
    }

    /// Makes the decorrelated copies of each group of wide sources, at rest.
    static func makeCopies(
        _ configuration: StageConfiguration, kept: Int
    ) -> (pointer: UnsafeMutablePointer<DecorrelatedCopies>, programmes: UnsafeMutablePointer<Int>, count: Int) {
        let groups = configuration.wideSources
        let pointer = UnsafeMutablePointer<DecorrelatedCopies>.allocate(capacity: max(1, groups.count))
        let programmes = UnsafeMutablePointer<Int>.allocate(capacity: max(1, groups.count))
        var number = 0
        for (index, group) in groups.enumerated() {
            (pointer + index).initialize(
                to: DecorrelatedCopies(
                    group.sources, number: number,
                    isAlwaysWide: group.sources.contains { configuration.played[$0].width > 0 },
                    slice: configuration.slice, kept: kept, sampleRate: configuration.sampleRate))
            (programmes + index).initialize(to: group.programme)
            number += group.sources.count
        }
        return (pointer, programmes, groups.count)
    }

    /// Makes the programmes of a configuration, at rest.
    static func makeProgrammes(
        _ configuration: StageConfiguration, inserts: InsertRenderer
    ) throws(RenderingError) -> [ProgrammeRenderer] {
        var made: [ProgrammeRenderer] = []
        let places = inserts.places
        for (index, stage) in configuration.programmes.enumerated() {
            do throws(UpmixError) {
                made.append(
                    try ProgrammeRenderer(
                        stage.programme, controls: stage.controls, sampleRate: configuration.sampleRate,
                        inserts: ProgrammeInserts(inserts.handle.pointer, place: places.programme(index))))
            } catch {
                throw .impossibleUpmix(error)
            }
        }
        return made
    }

    /// Makes the bus that passes the programmes' feeds to the sources and the ears. Returns nil without programmes.
    static func makeBus(
        _ programmes: [ProgrammeRenderer], _ configuration: StageConfiguration, decoders: [AmbisonicRenderer?],
        inserts: InsertRenderer, delay: Int, longest: Int
    ) -> UnsafeMutablePointer<ProgrammeBus>? {
        guard !programmes.isEmpty else { return nil }
        let bus = UnsafeMutablePointer<ProgrammeBus>.allocate(capacity: 1)
        bus.initialize(
            to: ProgrammeBus(
                programmes, ways: ways(configuration, decoders: decoders), sends: EffectSends(configuration.programmes),
                inserts: inserts, delay: delay, longestDelay: longest))
        return bus
    }

    /// Throws unless the room has the stage's sample rate and as many sources as the stage.
    static func check(_ room: RoomResponses, _ configuration: StageConfiguration) throws(RenderingError) {
        guard room.sampleRate == configuration.sampleRate else {
            throw .roomRateMismatch(room: room.sampleRate, session: configuration.sampleRate)
        }
        guard room.assignment.count == configuration.played.count else {
            throw .roomForOtherStage(sources: room.assignment.count, inputs: configuration.played.count)
        }
    }
}
