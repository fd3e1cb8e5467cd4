import Desk
import Foundation
import OSC
import Stages
import Synchronization
import Testing

@testable import Control
@testable import PluginHost

/// The texts of replies and the first messages of a subscription.
extension WireRecordTests {
    /// Name of a reply's kind in the record. A new kind needs a reply in `replies()` too.
    private static func kind(of reply: SessionReply) -> String {
        switch reply {
        case .done: "done"
        case .told: "told"
        case .started: "started"
        case .status: "status"
        case .phase: "phase"
        case .picture: "picture"
        case .state: "state"
        case .loudness: "loudness"
        case .recording: "recording"
        case .plugins: "plugins"
        case .knownPlugins: "knownPlugins"
        case .plugin: "plugin"
        case .refused: "refused"
        }
    }

    /// Number of kinds of replies.
    private static let kinds = 13

    private static func value<Value: Decodable>(_ json: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    private static func loudness() throws -> LoudnessStatus {
        let input = #"""
            {"momentary": -23, "shortTerm": -23.5, "integrated": -24, "range": 6, "truePeak": -1.5,
            "maximumMomentary": -20, "maximumShortTerm": -21, "seconds": 60, "faultySeconds": 0.5}
            """#
        return try value(
            #"{"inputs": [{"name": "main", "readings": \#(input)}], "ears": {"seconds": 60}, "lostFrames": 3}"#)
    }

    private static func recording() -> RecordingStatus {
        var recording = RecordingStatus(file: "/takes/ears-2.wav", ended: "the disk is full")
        (recording.number, recording.seconds, recording.markers, recording.lost) = (2, 60.5, 1, 128)
        recording.marker = RecordingStatus.Marker(name: "verse", frame: 48_000, seconds: 1)
        return recording
    }

    private static func plugin() -> PluginDescription {
        PluginDescription(
            identifier: "urn:amp", name: "Amp", maker: "Maker", kind: "Amplifier", license: "urn:licence",
            bundle: "/lv2/amp.lv2", audioInputs: ["in"], audioOutputs: ["out"],
            controls: [
                PluginControl(
                    symbol: "gain", name: "Gain", unit: "dB", range: -20...20, initial: 0, kind: .continuous,
                    isLogarithmic: false, choices: [PluginChoice(value: 0, label: "unity")], group: "Levels")
            ],
            properties: [PluginProperty(identifier: "urn:file", label: "File", takes: "path", isWritable: true)],
            presets: [PluginPreset(identifier: "urn:warm", label: "Warm")], events: [.midiIn, .patch],
            tellsLatency: true, hasBypass: true, isRealTimeSafe: true, needsFixedBlocks: false, hasState: true,
            refusal: "it needs a feature", bypassSymbol: "enabled", version: PluginVersion(minor: 2, micro: 4))
    }

    private static func status() throws -> SessionStatus {
        var status = SessionStatus()
        (status.preparing, status.preparingFor) = ("reading the HRTF set", 1.5)
        status.controlVersion = 1
        (status.client, status.layout, status.hrtf) = ("stage", "5.1", "set")
        status.programmes = try value(
            #"""
            [{"name": "main", "layout": "5.1", "isEffect": false, "mode": "tracked", "level": -3, "isMuted": false,
            "isSolo": false, "isSilenced": false, "isInverted": true, "width": 30, "normalisation": -1.5,
            "drc": "film-light", "dynamicsGain": -2, "canSpatialize": true, "isSpatializing": true,
            "isMultichannelUnused": false, "heardScale": "n3d",
            "renditions": {"wanted": "auto", "playing": "stereo", "hasMultichannel": true, "hasStereo": true,
            "lag": 1.5, "loudnessDifference": 2, "correlation": 0.5, "multichannelDelay": 0, "stereoDelay": 1.5,
            "stereoGain": -2, "handOvers": 1, "breaks": 2},
            "talkers": [{"azimuth": 30, "elevation": 5, "presence": 0.5}]}]
            """#)
        status.room = RoomStatus(name: "studio", isOn: true)
        status.head = try value(
            #"""
            {"tracker": "osc:9000", "id": "head", "format": "lines", "connection": "open", "fresh": true,
            "ageSeconds": 0.5, "rateHertz": 100, "received": 200, "dropped": {"late": 1}, "jitterMilliseconds": 0.5,
            "lost": 2, "loss": 0.25, "skewPPM": 12, "noiseDegrees": 0.5, "biasDegreesPerSecond": [1, 2, 3],
            "atRest": true, "driftDegreesPerMinute": 0.5, "headingDeviationDegrees": 1,
            "complaints": [{"name": "gap", "words": "no samples for 1 s"}]}
            """#)
        status.loudness = try loudness()
        (status.loadMean, status.loadMaximum) = (0.125, 0.5)
        (status.recordings, status.recordingsFolder) = ([recording()], "/takes")
        (status.scene, status.scenes, status.serverGoneFor) = ("a", ["a", "b"], 2)
        (status.panel, status.control) = ("http://127.0.0.1:8080/", ControlCounts())
        return status
    }

    /// Returns replies of all kinds, with the address of each.
    private static func replies() throws -> [(address: String, reply: SessionReply)] {
        let place = StagePicture.Place(
            name: "FL", title: "Front left", azimuth: 30, elevation: 0, isLowFrequency: false, meter: 0)
        let input = StagePicture.Input(
            name: "main", layout: "5.1", isEffect: false, loudspeakers: [place], meters: [0, 1])
        var phase = PhaseStatus(.starting, preparing: "reading the HRTF set", for: 1.5)
        phase.control = ControlCounts()
        let chain = #"""
            [{"name": "amp", "place": "main", "position": 0, "identifier": "urn:amp", "title": "Amp", "instances": 2,
            "isIsolated": true, "isBypassed": false, "fault": "its process ended", "latency": 64, "median": 1.5,
            "p99": 2.5, "longest": 3, "overruns": 1, "workerSeconds": 0.5, "lost": 2, "missed": 3,
            "controls": {"gain": -3}, "readings": {"peak": 0.5}, "log": ["a line"]}]
            """#
        return [
            ("level", .done), ("input/main/width", .done), ("record", .told("take 2")),
            ("start", .started(frame: 4_000_000_000, heardAt: 1.5)), ("status", .status(try status())),
            ("status", .phase(phase)),
            ("picture", .picture(StagePicture(inputs: [input], choices: ["layout": ["5.1", "stereo"]]))),
            ("state", .state(values)), ("loudness", .loudness(try loudness())),
            ("record/stop", .recording(recording())),
            ("plugin", .plugins(try value(chain))), ("plugin/known", .knownPlugins([PluginSummary(plugin())])),
            ("plugin/describe", .plugin(plugin())), ("level", .refused("a \"reason\"")),
        ]
    }

    @Test func `Every kind of reply has the text that it had`() throws {
        let replies = try Self.replies()
        #expect(Set(replies.map { Self.kind(of: $0.reply) }).count == Self.kinds)
        let lines = replies.map { address, reply in
            let text = ControlMessages.text(of: reply, to: ControlWire.prefix + address)
            return "\(Self.kind(of: reply)) to \(address): \(text)"
        }
        try Self.compare(lines.joined(separator: "\n") + "\n", with: "replies.txt")
    }

    @Test func `A subscription begins with the messages with which it began`() throws {
        let desk = SessionDesk()
        desk.state.enter(Self.values)
        let news = Subscription([.state], at: desk) {}.take()
        let messages = OSCNews.packets(news).flatMap(\.messages).map { message in
            ([message.address] + message.arguments.map { "\($0)" }).joined(separator: " ")
        }
        let told = Mutex<[String]>([])
        let conversation = JSONConversation(at: desk, send: { lines in told.withLock { $0 += lines } }, wake: {})
        conversation.receive(Array(#"{"id": 1, "address": "subscribe", "arguments": ["state"]}"#.utf8))
        conversation.flush()
        conversation.end()
        let objects = told.withLock { $0 }
        #expect(messages.count == Self.values.count + 1 && objects.count == 2)
        try Self.compare((messages + objects).joined(separator: "\n") + "\n", with: "subscription.txt")
    }
}
