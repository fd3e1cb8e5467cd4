import AudioIO
import AudioMix
import Geometry
import HRTF
import HeadTracking
import Headphones
import IMU
import Inserts
import Loading
import MotionLogs
import Racks
import Rendering
import RenditionMatching
import Rooms
import Signal
import Soundstage

/// Puts a stage together from settings: layout, HRTF field, placements, renderer.
package struct StageAssembly {
    /// A prepared HRTF set at the stage's rate, and what was done to it.
    package typealias PreparedSet = (field: FilterField, report: HRTFReport)

    /// The main programme's loudspeakers, in the order of its channels.
    package let layout: Layout
    /// What is played, and what was done to it.
    package let field: FilterField
    /// The set in use, for the user.
    package let report: HRTFReport
    /// The room it stands in, for the user, and its samples; nil: the stage is dry.
    package let room: (report: RoomReport, taps: Int)?
    /// The equalisation of the listener's headphones; nil: none.
    package var headphones: HeadphonesInUse?
    /// The input ports, in the order of the engine's input channels.
    package let ports: [StagePort]
    /// Names of the programmes whose direct sound is in the room as it was measured.
    package let measured: Set<String>
    /// Sources that sound in the room, by their numbers.
    package let sourcesInRoom: Set<Int>
    /// The engine, ready to play.
    package let renderer: StageRenderer
    /// Its plugins.
    package let plugins: PluginRack

    /// How a sound field becomes two ears, for the user; nil for loudspeakers.
    package var decoding: String? {
        layout.ambisonics.map { format in
            let taps = AmbisonicDecoder.tapCount(for: field)
            return "ambisonics of order \(format.order) decoded by magnitude least squares, \(taps) samples"
                + (field.tapCount > 2 * taps ? "; what the set rings on beyond is faded out" : "")
        }
    }

    /// How stereo is upmixed to the stage, for the user; nil where it is not.
    package var upmix: String? {
        guard let main = renderer.programmes.first, let plan = main.programme.upmix else { return nil }
        return "stereo upmixed to \(main.programme.layout.name) (\(plan.mode.rawValue), \(plan.latency.rawValue)): "
            + "\(main.latencyFrames) frames of latency in all"
    }

    /// How the sound field is mixed anew, for the user; nil where it is not.
    package var mix: String? {
        guard let field = renderer.soundField, let latency = field.programme.mix else { return nil }
        let controls = field.controls.mix
        return "Audio Mix: \(controls.style.rawValue), intensity \(controls.intensity) (\(latency.rawValue))"
            + (field.programme.camera?.words ?? "") + ": "
            + "\(field.latencyFrames) frames of latency in all"
    }

    /// The set's name.
    package var setName: String { report.name }

    /// The set and what was done to it, then how a sound field is decoded, a line each.
    package var setLines: [String] { report.lines + [decoding].compactMap { $0.map { "  " + $0 } } }

    /// The room's name; nil where the stage is dry.
    package var roomName: String? { room?.report.name }

    /// The room, a line each; none where the stage is dry.
    package var roomLines: [String] { room?.report.lines ?? [] }

    /// The linear gain that makes a programme as loud past the stage as it is on it. Off the audio thread, about a
    /// millisecond per channel.
    package func gainPastStage(_ programme: Programme) -> Float { StageLoudness.gainPastStage(programme, field: field) }

    /// The room's name, as motion logs say it.
    package var roomWord: String { room?.report.name ?? "none" }

    /// The name of the headphones' equalisation, likewise.
    package var headphonesWord: String { headphones?.equaliser.name ?? "none" }

    /// How stereo is upmixed, in a word or two, as motion logs say it.
    package var upmixWord: String {
        guard let main = renderer.programmes.first, let plan = main.programme.upmix else { return "none" }
        return "\(plan.mode.rawValue) \(plan.latency.rawValue) \(main.programme.layout.name)"
    }

    /// Samples that sound rings on for after a channel's last: the longest filter in use.
    package var tapCount: Int {
        max(
            field.tapCount + (headphones?.filter.ringing ?? 0), room?.taps ?? 0,
            layout.ambisonics == nil ? 0 : AmbisonicDecoder.tapCount(for: field))
    }

    /// Loads the set at the rate and prepares the engine; up to a few seconds, never on the audio thread.
    /// `posesFollowSound`: see `StageConfiguration`; `period`: frames of a block. For a render out of time.
    package init(
        _ settings: StageSettings, layout: Layout, sampleRate: SampleRate, poses: PoseSource,
        posesFollowSound: Bool = false, period: Int
    ) throws(SessionError) {
        let standing = try settings.standing(in: layout)
        try self.init(
            standing, layout: layout, set: try Self.set(standing, sampleRate: sampleRate), poses: poses,
            posesFollowSound: posesFollowSound, isLive: false, period: period)
    }

    /// Loads the set at the rate; about a second, never on the audio thread. `says` is told what is being done.
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

    /// Prepares the engine with a set that is loaded; some milliseconds, with a room some seconds, never on the audio
    /// thread. `says` is told what is being done.
    ///
    /// - Parameters:
    ///   - isLive: whether it will run against time.
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
            settings.room, inputs.roomPlaces, voices: inputs.voicePlaces, layout: layout, field: field,
            by: settings.reader)
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
            renderer.inserts, places: PluginPlace.all(on: configuration, renderer.inserts.places),
            sampleRate: field.sampleRate, slice: settings.slice, shelf: settings.shelf, isLive: isLive)
        if settings.isForgiving {
            plugins.addWhatThereIs(settings.plugins, period: period, says: says)
        } else {
            try plugins.add(settings.plugins, period: period, says: says)
        }
    }

    /// Programmes whose direct sound is in the measured room, by name.
    ///
    /// - Throws: a usage error where one of them is to have width.
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

    /// Whether a programme's direct sound is in a measured room, so that its sources are as wide as the loudspeakers
    /// there.
    package func isMeasured(_ name: String) -> Bool { measured.contains(name) }

    /// Poses from a log in the words of the command line.
    package static func poses(logAt path: String) throws(SessionError) -> PoseSource {
        let log: OrientationLog<Head, Stage>
        do throws(TrackerError) { log = try OrientationLog(contentsOf: path) } catch { throw SessionError(error) }
        do throws(RenderingError) {
            return .log(try PoseLog(zip(log.times, log.poses).map { PoseLog.Entry(seconds: $0, headToStage: $1) }))
        } catch {
            throw SessionError(.input, "\(path): \(error)")
        }
    }

    /// A session's motion log.
    package static func recording(logAt path: String) throws(SessionError) -> MotionRecording {
        do throws(MotionLogError) { return try MotionRecording(contentsOf: path) } catch { throw SessionError(error) }
    }

    /// Poses from a session's motion log.
    package static func poses(_ recording: MotionRecording, at path: String) throws(SessionError) -> PoseSource {
        do throws(RenderingError) { return .log(try recording.poseLog()) } catch {
            throw SessionError(.input, "\(path): \(error)")
        }
    }
}
