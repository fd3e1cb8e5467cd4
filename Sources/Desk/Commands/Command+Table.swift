import HeadTracking
import Stages

extension Command {
    /// The table of all commands of all programs, in the order of the help text.
    package static let all: [Command] = {
        var rows = session
        func add(_ more: [Command], in section: Section) { rows += more.map { $0.shown(in: section) } }
        add(playback, in: .routes)
        add(recording, in: .routes)
        add(surface, in: .session)
        add(plugins, in: .plugins)
        add(player, in: .player)
        add(calibration, in: .calibration)
        add(measurement, in: .measurement)
        return rows + capture
    }()

    /// Commands of the session as a whole, and of the control interfaces themselves.
    private static let session: [Command] = [
        Command(
            "recentre", .perhaps("'yaw', 'full' or 'reset'"),
            "makes the head's present direction the front; or `yaw`, `full` or `reset`", execution: .ofHead,
            section: .hand,
            form: CommandForm(
                "recentre",
                [
                    .init(
                        "axes", .word(HeadTracker.Recentring.allCases.map(\.rawValue)),
                        "yaw, full (pitch and roll too) or reset (back to the trackers' own zero).", standard: "",
                        usual: HeadTracker.Recentring.yaw.rawValue),
                    .init("full", .flag(["full"]), "The same as 'full'.", isHidden: true),
                    .init("reset", .flag(["reset"]), "The same as 'reset'.", isHidden: true),
                ])
        ) {
            .recentre($0.perhaps { $0.word(HeadTracker.Recentring.yaw) } ?? .yaw)
        } writes: {
            if case .recentre(let axes) = $0 { [.text(axes.rawValue)] } else { nil }
        },
        Command(
            "recentre/yaw", "makes the head's present direction the front, in yaw alone", execution: .ofHead,
            section: .tracking, means: .recentre(.yaw), isUsual: false),
        Command(
            "recentre/full", "makes the head's present direction the front, in all three angles", execution: .ofHead,
            section: .tracking, means: .recentre(.full), isUsual: false),
        Command(
            "recentre/reset", "undoes all recentring", execution: .ofHead, section: .tracking,
            means: .recentre(.reset), isUsual: false),
        Command(
            "start", .perhaps("a JACK frame as a whole number"), "sets stream time 0, now or at a JACK frame",
            execution: CommandExecution(order: .atItsFrame, change: .nothing), section: .routes, patience: 15,
            form: CommandForm(
                "start --at 4800000",
                [
                    .init(
                        "at", .option(value: "frame"), "The JACK frame (default: the first of the next period).",
                        limit: .whole("a JACK frame as a whole number, 0 to \(UInt32.max)", 0...Int(UInt32.max)))
                ],
                remark: "The stage restarts from silence. Prints the frame, and when it is heard.")
        ) {
            .start(frame: $0.perhaps { $0.frame() })
        } writes: {
            guard case .start(let frame) = $0 else { return nil }
            return frame.map { [$0 < 2 ? .text(String($0)) : .whole(Int32(bitPattern: $0))] } ?? []
        },
        Command(
            "status", "answers with the state as JSON", kind: .question, in: [.session, .capture], section: .session,
            means: .status),
        Command(
            "picture",
            "answers with the positions of the loudspeakers, and the known layouts, sets and rooms, as JSON",
            kind: .question, section: .session, form: CommandForm("picture"), means: .picture),
        Command(
            "loudness", .perhaps("'reset'"), "answers with the loudness meters as JSON; `reset` restarts them",
            kind: .question, section: .meters
        ) {
            .loudness(reset: $0.perhaps { $0.text(else: false) { $0 == "reset" ? true : nil } } ?? false)
        } writes: {
            if case .loudness(let resets) = $0 { resets ? [.text("reset")] : [] } else { nil }
        },
        Command(
            "loudness/reset", "restarts the loudness meters", execution: .withoutChange, section: .meters,
            means: .loudness(reset: true), isUsual: false),
        Command(
            "watch", .these(types: "f", ranges: [0...100], "a number of times per second, 0.05 to 100, or 0 to end"),
            "sends the state to the sender, a number of times per second, for 30 s; over UDP", kind: .door,
            in: [.session, .capture]),
        Command(
            "subscribe", .perhaps("any of state, events, meters, pose"),
            "sends every new value: all, or only `state`, `events`, `meters`, `pose`", kind: .door, section: .session),
        Command(
            "unsubscribe", .perhaps("the HOST:PORT that was named"), "ends the subscription", kind: .door,
            section: .session),
        Command(
            "token", .these(types: "s", "this session's token"),
            "opens OSC to a client on another machine that sends the session's token", kind: .door, section: .session),
        Command(
            "undo", "undoes the newest change", execution: .ofHistory, section: .header, patience: 60,
            form: CommandForm("undo"), means: .history(.undo)),
        Command(
            "redo", "repeats the change that was undone", execution: .ofHistory, section: .header, patience: 60,
            form: CommandForm("redo"), means: .history(.redo)),
        Command(
            "quit", "ends the session", execution: .withoutChange, section: .session, form: CommandForm("quit"),
            means: .quit),
    ]

    /// Commands for playback as a whole.
    private static let playback: [Command] = [
        Command(
            "resume", "resumes after the ears lost their ports, or after an interruption that ended without a resume",
            form: CommandForm("resume"), means: .playback(.resume)),
        Command(
            "interrupt/begin",
            .these(
                types: "ss",
                "a name, then 'pause' or 'duck' and dB (-120 to 0), then optionally seconds (0.1 to 86400)"),
            "begins an interruption: a name, `pause`, or `duck` and dB; optionally seconds",
            form: CommandForm(
                "interrupt begin navigation --duck -12 --lease 10",
                [
                    .init(
                        "name", "Name of the interruption; an input of that name continues to play.",
                        limit: .text(1...PlaybackCommand.longestName)),
                    .init(
                        "duck", .option(["duck"], value: "dB"), "Lower all other inputs by this level, -120 to 0 dB.",
                        limit: .number(InterruptionEffect.levels, "dB")),
                    .init("pause", .flag(["pause"]), "Silence all other inputs."),
                    .init(
                        "lease", .option(value: "seconds"),
                        "End the interruption, with a resume, unless it is begun again within this time.",
                        limit: .number(PlaybackCommand.leases, "seconds")),
                ],
                takes:
                    "NAME with either --duck DB (-120 to 0) or --pause, and optionally --lease SECONDS (0.1 to 86400)",
                remark: "If a JACK client has this NAME, the interruption ends with a resume when the client closes."
            )
        ) { words in
            let name = words.text(1...PlaybackCommand.longestName)
            let isPause = words.text(else: true) { ["pause": true, "duck": false][$0] }
            let effect = isPause ? InterruptionEffect.pause : .duck(words.number(InterruptionEffect.levels))
            return .playback(
                .beginInterruption(name: name, effect, lease: words.perhaps { $0.number(PlaybackCommand.leases) }))
        } writes: {
            guard case .playback(.beginInterruption(let name, let effect, let lease)) = $0 else { return nil }
            let said: [CommandValue] =
                switch effect {
                case .pause: [.text("pause")]
                case .duck(let level): [.text("duck"), .number(level)]
                }
            return [.text(name)] + said + (lease.map { [.number($0)] } ?? [])
        },
        Command(
            "interrupt/end", .these(types: "s", "a name, then optionally 'resume' or 'no-resume'"),
            "ends an interruption: its name; optionally `resume` or `no-resume`",
            form: CommandForm(
                "interrupt end navigation --no-resume",
                [
                    .init("name", "Name of the interruption.", limit: .text(1...PlaybackCommand.longestName)),
                    .init(
                        "resume", .choice(yes: "resume", no: "no-resume"),
                        "Undo the ducking or pause; with --no-resume it stays until 'ctl resume'."),
                ])
        ) { words in
            let name = words.text(1...PlaybackCommand.longestName)
            let resumes = words.perhaps { $0.text(else: true) { ["resume": true, "no-resume": false][$0] } }
            return .playback(.endInterruption(name: name, resumes: resumes ?? true))
        } writes: {
            guard case .playback(.endInterruption(let name, let resumes)) = $0 else { return nil }
            return [.text(name), .text(resumes ? "resume" : "no-resume")]
        },
    ]

    /// Commands for recordings: of the binaural output by a session, of the microphones by a capture.
    private static let recording: [Command] = [
        Command(
            "record", .state, "begins the next take, or completes the present one; or `on`, `off`, `toggle`",
            in: [.session, .capture], execution: .ofRecordings, patience: 15,
            form: CommandForm("record toggle", word: "toggle")
        ) {
            .record(.turn(on: $0.state()))
        } writes: {
            if case .record(.turn(let isOn)) = $0 { [.text(word(isOn) ?? "toggle")] } else { nil }
        },
        Command(
            "record/start", .perhaps("a file's name"),
            "begins a take of what the stage plays; optionally into a named file",
            in: [.session, .capture], line: "record", execution: .ofRecordings, patience: 15,
            form: CommandForm(
                "record start take.wav",
                [
                    .init(
                        "file", .path(isFolder: false),
                        "The file; its name may end in .wav, .rf64, .bw64, .w64, .caf, .aiff or .flac. Without one the take has "
                            + "the next number of the last name; the first take is ears.wav in the session's folder of recordings.",
                        standard: "")
                ])
        ) { words in
            .record(
                .start(
                    file: words.perhaps {
                        $0.text(else: "") { name in
                            (1...RecordCommand.longestPath).contains(name.utf8.count) && !name.contains("\0")
                                ? name : nil
                        }
                    }))
        } writes: {
            if case .record(.start(let file)) = $0 { file.map { [.text($0)] } ?? [] } else { nil }
        },
        Command(
            "record/stop", "completes the take", in: [.session, .capture], line: "stop", execution: .ofRecordings,
            patience: 15, form: CommandForm("record stop"), means: .record(.stop)),
        Command(
            "record/marker", .perhaps("a name of \(RecordCommand.longestName) bytes at most"),
            "sets a marker at the frame that is heard now; optionally with a name", in: [.session, .capture],
            line: "marker [NAME]", execution: .ofRecordings, patience: 15,
            form: CommandForm(
                "record marker 'second verse'",
                [
                    .init(
                        "name", "Name of the marker (default: its number).", standard: "",
                        limit: ArgumentLimit("a name of \(RecordCommand.longestName) bytes at most") {
                            RecordCommand.name($0) != nil
                        })
                ])
        ) {
            .record(.marker(name: $0.perhaps { $0.text(else: "", RecordCommand.name) }))
        } writes: {
            if case .record(.marker(let name)) = $0 { name.map { [.text($0)] } ?? [] } else { nil }
        },
    ]

    /// Commands for the learn mode of a control surface.
    private static let surface: [Command] = [
        Command(
            "surface/learn", .these(types: "s", "an address, as input/main/level or recentre"),
            "binds the next control that is moved to an address",
            form: CommandForm(
                "surface learn loudspeaker/FL/mute",
                [.init("address", "An address, as level, input/main/level, loudspeaker/FL/mute or recentre.")])
        ) {
            .surface(
                .learn(
                    $0.text(else: "") { said in
                        said.isEmpty ? nil : said.hasPrefix("/proscenium/") ? String(said.dropFirst(12)) : said
                    }))
        } writes: {
            if case .surface(.learn(let address)) = $0 { [.text(address)] } else { nil }
        },
        Command(
            "surface/cancel", "cancels all addresses that wait for a control",
            form: CommandForm("surface cancel"), means: .surface(.cancel)),
    ]

    /// Commands for the calibration of a tracker's mounting. Its progress appears as values of the state
    /// (`TrackerCalibration`).
    private static let calibration: [Command] = [
        Command(
            "calibrate/start",
            .perhaps(
                "'head' or 'device', then optionally \(CalibrationCommand.seconds.lowerBound) to "
                    + "\(CalibrationCommand.seconds.upperBound) seconds a movement"),
            "begins to calibrate the mounting of the head's tracker, or of the `device`'s; optionally with seconds for each movement",
            form: CommandForm(
                "calibrate start device --seconds 6",
                [
                    .init(
                        "body", .word(TrackedBody.allCases.map(\.rawValue)), "The tracker: the head's or the device's.",
                        standard: TrackedBody.head.rawValue),
                    .init(
                        "seconds", .option(value: "s"), "How long each movement takes, 0.5 to 60.",
                        limit: .number(CalibrationCommand.seconds, "seconds")),
                ])
        ) { words in
            let body = words.perhaps { $0.word(TrackedBody.head) } ?? .head
            let seconds = words.perhaps { $0.number(CalibrationCommand.seconds) } ?? CalibrationCommand.usualSeconds
            return .calibration(.start(body, seconds: seconds))
        } writes: {
            guard case .calibration(.start(let body, let seconds)) = $0 else { return nil }
            return [.text(body.rawValue), .number(seconds)]
        },
        Command(
            "calibrate/step", "begins the next movement", form: CommandForm("calibrate step"),
            means: .calibration(.step)),
        Command(
            "calibrate/accept", "uses the mounting that was found, and stores it",
            form: CommandForm("calibrate accept"), means: .calibration(.accept)),
        Command(
            "calibrate/cancel", "ends the calibration; the former mounting stays",
            form: CommandForm("calibrate cancel"), means: .calibration(.cancel)),
    ]

    /// Argument of a command that switches a state on or off.
    static let state = CommandForm.Argument(
        "state", .word(["on", "off", "toggle"]), "on or off (default: the other of the two).", standard: "",
        usual: "toggle")

    /// Returns the word of a switch state; nil for toggle.
    package static func word(_ isOn: Bool?) -> String? { isOn.map { $0 ? "on" : "off" } }
}
