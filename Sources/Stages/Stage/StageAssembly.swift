import AudioIO
import AudioMix
import Geometry
import HRTF
import Headphones
import Loading
import Racks
import Rendering
import RenditionMatching
import Rooms
import Signal
import Soundstage

/// A stage built from settings: layout, HRTF field, room, renderer and plugins.
package struct StageAssembly {
    /// A prepared HRTF set at the stage's rate, and the report of its preparation.
    package typealias PreparedSet = (field: FilterField, report: HRTFReport)

    /// The main programme's loudspeakers, in the order of its channels.
    package let layout: Layout
    /// HRTF field of the renderer.
    package let field: FilterField
    /// Report of the HRTF set, for the user.
    package let report: HRTFReport
    /// Report of the room, for the user, and length of the room's responses in samples; nil if the stage is dry.
    package let room: (report: RoomReport, taps: Int)?
    /// Equalisation of the listener's headphones; nil without one.
    package var headphones: HeadphonesInUse?
    /// The input ports, in the order of the renderer's input channels.
    package let ports: [StagePort]
    /// Names of the programmes whose direct sound is part of a measured room.
    package let measured: Set<String>
    /// Numbers of the sources that are rendered in the room.
    package let sourcesInRoom: Set<Int>
    /// The renderer, ready to play.
    package let renderer: StageRenderer
    /// Plugins of the stage.
    package let plugins: PluginRack

    /// Description of the sound field's binaural decoding; nil for loudspeakers.
    package var decoding: String? {
        layout.ambisonics.map { format in
            let taps = AmbisonicDecoder.tapCount(for: field)
            return "ambisonics of order \(format.order) decoded by magnitude least squares, \(taps) samples"
                + (field.tapCount > 2 * taps ? "; the longer ringing of the set is faded out" : "")
        }
    }

    /// Description of the stereo upmix; nil without one.
    package var upmix: String? {
        guard let main = renderer.lead, let plan = main.programme.upmix else { return nil }
        return "stereo upmixed to \(main.programme.layout.name) (\(plan.mode.rawValue), \(plan.latency.rawValue)): "
            + "\(main.latencyFrames) frames of latency in all"
    }

    /// Descriptions of the upmixes of further inputs.
    package var inputUpmixes: [String] {
        renderer.programmes.filter { $0.programme.name != "main" }.compactMap { input -> String? in
            guard let plan = input.programme.upmix else { return nil }
            return "input '\(input.programme.name)': stereo upmixed to \(input.programme.layout.name) "
                + "(\(plan.mode.rawValue), \(plan.latency.rawValue)): \(input.latencyFrames) frames of latency in all"
        }
    }

    /// Description of the mix of the sound field; nil without one.
    package var mix: String? {
        guard let field = renderer.lead, let latency = field.programme.mix else { return nil }
        let controls = field.controls.mix
        return "Audio Mix: \(controls.style.rawValue), intensity \(controls.intensity) (\(latency.rawValue))"
            + (field.programme.camera?.words ?? "") + ": "
            + "\(field.latencyFrames) frames of latency in all"
    }

    /// Name of the HRTF set.
    package var setName: String { report.name }

    /// Path and licence of the HRTF set.
    package var setPath: String { report.path }
    package var setLicence: String { report.licence }

    /// Processing steps of the HRTF set and remarks on it, with the decoding of a sound field, one a line.
    package var setProcessing: [String] { report.processing + report.remarks + [decoding].compactMap(\.self) }

    /// Report of the HRTF set, then the decoding of a sound field, one fact a line.
    package var setLines: [String] { report.lines + [decoding].compactMap { $0.map { "  " + $0 } } }

    /// Name of the room; nil if the stage is dry.
    package var roomName: String? { room?.report.name }

    /// Report of the room, one fact a line; empty if the stage is dry.
    package var roomLines: [String] { room?.report.lines ?? [] }

    /// Returns the linear gain at which a programme that bypasses the stage is as loud as on it. Takes about a
    /// millisecond per channel; never on the audio thread.
    package func gainPastStage(_ programme: Programme) -> Float { StageLoudness.gainPastStage(programme, field: field) }

    /// Warning if the plugins on the output include an equaliser in addition to the headphones' equalisation; nil
    /// otherwise.
    package var twoEqualisers: String? {
        guard headphones != nil else { return nil }
        let found = plugins.equalisersAtEars
        guard !found.isEmpty else { return nil }
        return "two equalisers are at the ears: the headphones' and the plugin "
            + found.map { "'\($0)'" }.joined(separator: ", ") + "; what both correct is corrected twice"
    }

    /// Name of the room in motion logs.
    package var roomWord: String { room?.report.name ?? "none" }

    /// Returns the equalisation of the sound at the ears, for the remarks on the headphones' equalisation. With a
    /// measured room it is none, because the room's responses contain the ear gain.
    package func equalisation(of settings: StageSettings) -> HRTFProcessing {
        measured.isEmpty ? settings.equalisation : .none
    }

    /// Name of the headphones' equalisation in motion logs.
    package var headphonesWord: String { headphones?.equaliser.name ?? "none" }

    /// Law, latency and layout of the upmix in motion logs; `none` without one.
    package var upmixWord: String {
        guard let main = renderer.lead, let plan = main.programme.upmix else { return "none" }
        return "\(plan.mode.rawValue) \(plan.latency.rawValue) \(main.programme.layout.name)"
    }

    /// Length of the longest filter in use, samples: the HRTFs with the headphones' equalisation, the room, or the
    /// decoder of a sound field. The output decays for this time after a channel's last sample.
    package var tapCount: Int {
        max(
            field.tapCount + (headphones?.filter.ringing ?? 0), room?.taps ?? 0,
            layout.ambisonics == nil ? 0 : AmbisonicDecoder.tapCount(for: field))
    }

    /// Loads the HRTF set at the sample rate and prepares the renderer, for offline rendering. Takes up to a few
    /// seconds; never on the audio thread. `posesFollowSound`: see `StageConfiguration`; `period`: frames of a block.
    package init(
        _ settings: StageSettings, layout: Layout, sampleRate: SampleRate, poses: PoseSource,
        posesFollowSound: Bool = false, period: Int
    ) throws(SessionError) {
        let standing = try settings.standing(in: layout)
        try self.init(
            standing, layout: layout, set: try Self.set(standing, sampleRate: sampleRate), poses: poses,
            posesFollowSound: posesFollowSound, isLive: false, period: period)
    }

    /// Loads the HRTF set at the sample rate. Takes about a second; never on the audio thread. `says` receives the
    /// preparation step.
    package static func set(
        _ settings: StageSettings, sampleRate: SampleRate, says: (String) -> Void = { _ in }
    ) throws(SessionError) -> (field: FilterField, report: HRTFReport) {
        let (name, reader) = (settings.hrtf.map { " '\($0)'" } ?? "", settings.reader)
        says("reading the HRTF set\(name)")
        do throws(HRTFError) {
            return try FilterField.load(
                HRTFSelection(settings.hrtf), sampleRate: sampleRate,
                options: settings.preparation,
                library: DataFolders.library, cache: .standard,
                whenRead: { says("preparing the HRTF set\(name) for \(sampleRate)") },
                prepare: { path, rate, options, reading, whenRead throws(HRTFError) in
                    try reader.set(
                        at: path, sampleRate: rate, options: options, reading: reading, whenRead: whenRead)
                })
        } catch {
            throw SessionError(error)
        }
    }

    /// Prepares the renderer with a loaded HRTF set. Takes some milliseconds, or some seconds with a room; never on the
    /// audio thread. `says` receives the preparation step.
    ///
    /// - Parameters:
    ///   - isLive: whether the stage will play in real time.
    ///   - period: frames of the driver's periods.
    package init(
        _ settings: StageSettings, layout: Layout, set: (field: FilterField, report: HRTFReport), poses: PoseSource,
        posesFollowSound: Bool = false, isLive: Bool = true, period: Int = 0, says: (String) -> Void = { _ in }
    ) throws(SessionError) {
        self.layout = layout
        (field, report) = set
        let inputs = try ProgrammeAssembly(settings, layout: layout)
        guard settings.voiceDistance == nil || !inputs.voicePlaces.isEmpty else {
            throw SessionError(.usage, StageRefusal.noVoices)
        }
        ports = inputs.ports
        if !settings.room.isDry { says("preparing the room '\(settings.room.name)'") }
        let loaded = try RoomLoading.load(
            settings.room, inputs.roomPlaces, main: inputs.mainPlaces, voices: inputs.voicePlaces, layout: layout,
            field: field, by: settings.reader, cache: settings.keepsRooms ? .standard : nil)
        room = loaded.map { ($0.report, $0.responses.tapCount) }
        measured = try Self.measured(loaded?.responses, inputs)
        let places = loaded?.responses.assignment ?? []
        sourcesInRoom = Set(places.indices.filter { places[$0] != nil })
        says("preparing the stage")
        var configuration = StageConfiguration(
            sampleRate: field.sampleRate, slice: settings.slice,
            sources: inputs.sources, programmes: inputs.programmes,
            trim: Decibels(settings.choices.trim + settings.gain), outputGuard: settings.limiter)
        configuration.posesFollowSound = posesFollowSound
        if !settings.headphones.isNone { says("preparing the headphones' equalisation") }
        headphones = try HeadphonesInUse(
            settings.headphones, sampleRate: field.sampleRate, by: settings.reader)
        configuration.headphones = headphones?.filter
        do throws(RenderingError) {
            renderer = try StageRenderer(
                configuration, field: field, room: loaded?.responses, poses: poses)
        } catch {
            throw SessionError(error)
        }
        plugins = PluginRack(
            renderer.inserts, places: PluginPlace.all(on: configuration, renderer.inserts),
            sampleRate: field.sampleRate, slice: settings.slice, shelf: settings.shelf, isLive: isLive)
        if settings.isForgiving {
            plugins.addWhatThereIs(settings.plugins, period: period, says: says)
        } else {
            try plugins.add(settings.plugins, period: period, says: says)
        }
    }

    /// Returns the names of the programmes whose direct sound is part of the measured room.
    ///
    /// - Throws: a usage error if one of them has a width or a distance of its own.
    private static func measured(_ room: RoomResponses?, _ inputs: ProgrammeAssembly) throws(SessionError) -> Set<
        String
    > {
        guard let room, room.directGain == 0 else { return [] }
        var names: Set<String> = []
        for (source, place) in zip(inputs.sources, room.assignment) where place != nil {
            let stage = inputs.programmes[source.programme]
            names.insert(stage.programme.name)
            guard stage.controls.width == 0, source.width == 0 else {
                throw SessionError(.usage, StageRefusal.noWidthInRoom(stage.programme.name))
            }
            guard source.shell == 0 else {
                throw SessionError(.usage, StageRefusal.noDistanceInRoom(stage.programme.name))
            }
        }
        return names
    }

    /// Returns whether a programme's direct sound is part of a measured room. Its sources then have the width of the
    /// loudspeakers in that room.
    package func isMeasured(_ name: String) -> Bool { measured.contains(name) }
}
