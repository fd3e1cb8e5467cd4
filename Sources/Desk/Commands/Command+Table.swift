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
            "recentre", "makes the head's present direction the front; or `yaw`, `full` or `reset`",
            perhaps(
                .word(
                    HeadTracker.Recentring.self, name: "axes",
                    help: "yaw, full (pitch and roll too) or reset (back to the trackers' own zero).",
                    usual: HeadTracker.Recentring.yaw.rawValue,
                    others: [
                        .init("full", .flag(["full"]), "The same as 'full'.", isHidden: true),
                        .init("reset", .flag(["reset"]), "The same as 'reset'.", isHidden: true),
                    ]), else: .yaw), execution: .ofHead, section: .hand, form: CommandForm("recentre"),
            reads: { .recentre($0) }, writes: { if case .recentre(let axes) = $0 { axes } else { nil } }),
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
            "start", "sets stream time 0, now or at a JACK frame", perhaps(frame),
            execution: CommandExecution(order: .atItsFrame, change: .nothing), section: .routes, patience: 15,
            form: CommandForm(
                "start --at 4800000", remark: "The stage restarts from silence. Prints the frame, and when it is heard."
            ),
            reads: { .start(frame: $0) }, writes: { if case .start(let frame) = $0 { .some(frame) } else { nil } }),
        Command(
            "status", "answers with the state as JSON", kind: .question, in: [.session, .capture], section: .session,
            means: .status),
        Command(
            "picture",
            "answers with the positions of the loudspeakers, and the known layouts, sets and rooms, as JSON",
            kind: .question, section: .session, form: CommandForm("picture"), means: .picture),
        Command(
            "loudness", "answers with the loudness meters as JSON; `reset` restarts them",
            perhaps(.text("'reset'") { $0 == "reset" ? $0 : nil }), kind: .question, section: .meters,
            reads: { .loudness(reset: $0 != nil) },
            writes: { if case .loudness(let resets) = $0 { .some(resets ? "reset" : nil) } else { nil } }),
        Command(
            "loudness/reset", "restarts the loudness meters", execution: .withoutChange, section: .meters,
            means: .loudness(reset: true), isUsual: false),
        Command(
            door: .watch, "sends the state to the sender, a number of times per second, for 30 s; over UDP",
            CommandArgument("a number of times per second, 0.05 to 100, or 0 to end", type: "f", range: 0...100),
            in: [.session, .capture]),
        Command(
            door: .subscribe, "sends every new value: all, or only `state`, `events`, `meters`, `pose`",
            CommandArgument("any of state, events, meters, pose", isOptional: true), section: .session),
        Command(
            door: .unsubscribe, "ends the subscription",
            CommandArgument("the HOST:PORT that was named", isOptional: true), section: .session),
        Command(
            door: .token, "opens OSC to a client on another machine that sends the session's token",
            CommandArgument("this session's token"), section: .session),
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

    /// A frame of JACK's clock. Frames 0 and 1 are written as text, because these numbers are button values.
    private static let frame = CommandArguments<UInt32>(
        [
            CommandArgument(
                "a JACK frame as a whole number", type: "i",
                forms: [
                    CommandForm.Argument(
                        "at", .option(value: "frame"), "The JACK frame (default: the first of the next period).",
                        limit: .whole("a JACK frame as a whole number, 0 to \(UInt32.max)", 0...Int(UInt32.max)))
                ])
        ], read: { $0.frame() }, write: { [$0 < 2 ? .text(String($0)) : .whole(Int32(bitPattern: $0))] })

    /// Commands for playback as a whole.
    private static let playback: [Command] = [
        Command(
            "resume", "resumes after the ears lost their ports, or after an interruption that ended without a resume",
            form: CommandForm("resume"), means: .playback(.resume)),
        Command(
            "interrupt/begin", "begins an interruption: a name, `pause`, or `duck` and dB; optionally seconds",
            both(
                interruption("Name of the interruption; an input of that name continues to play."),
                both(effect, perhaps(lease))),
            form: CommandForm(
                "interrupt begin navigation --duck -12 --lease 10",
                takes:
                    "NAME with either --duck DB (\(levels)) or --pause, and optionally --lease SECONDS (\(leases))",
                remark: "If a JACK client has this NAME, the interruption ends with a resume when the client closes."
            ),
            reads: { .playback(.beginInterruption(name: $0.0, $0.1.0, lease: $0.1.1)) },
            writes: {
                guard case .playback(.beginInterruption(let name, let effect, let lease)) = $0 else { return nil }
                return (name, (effect, lease))
            }),
        Command(
            "interrupt/end", "ends an interruption: its name; optionally `resume` or `no-resume`",
            both(interruption("Name of the interruption."), perhaps(resumption, else: true)),
            form: CommandForm("interrupt end navigation --no-resume"),
            reads: { .playback(.endInterruption(name: $0.0, resumes: $0.1)) },
            writes: {
                guard case .playback(.endInterruption(let name, let resumes)) = $0 else { return nil }
                return (name, resumes)
            }),
    ]

    /// The name of an interruption.
    private static func interruption(_ help: String) -> CommandArguments<String> {
        .text("a name", name: "name", help: help, limit: .text(1...PlaybackCommand.longestName))
    }

    /// Levels and leases of interruptions, in words.
    private static let levels = ArgumentLimit.ends(of: InterruptionEffect.levels)
    private static let leases = ArgumentLimit.ends(of: PlaybackCommand.leases)

    /// The lease of an interruption.
    private static let lease: CommandArguments<Double> = .number(
        PlaybackCommand.leases, "seconds (\(leases))", name: "lease", option: "seconds", unit: "seconds",
        help: "End the interruption, with a resume, unless it is begun again within this time.")

    /// The effect of an interruption.
    private static let effect = CommandArguments<InterruptionEffect>(
        [
            CommandArgument(
                "'pause' or 'duck' and dB (\(levels))",
                forms: [
                    CommandForm.Argument(
                        "duck", .option(["duck"], value: "dB"), "Lower all other inputs by this level, \(levels) dB.",
                        limit: .number(InterruptionEffect.levels, "dB")),
                    CommandForm.Argument("pause", .flag(["pause"]), "Silence all other inputs."),
                ])
        ],
        read: { words in
            guard let isPause = words.text({ word -> Bool? in ["pause": true, "duck": false][word] }) else {
                return nil
            }
            if isPause { return .pause }
            guard let level = words.number(InterruptionEffect.levels) else { return nil }
            return .duck(level)
        },
        write: { effect in
            switch effect {
            case .pause: [.text("pause")]
            case .duck(let level): [.text("duck"), .number(level)]
            }
        })

    /// Whether an interruption ends with a resume.
    private static let resumption = CommandArguments<Bool>(
        [
            CommandArgument(
                "'resume' or 'no-resume'",
                forms: [
                    CommandForm.Argument(
                        "resume", .choice(yes: "resume", no: "no-resume"),
                        "Undo the ducking or pause; with --no-resume it stays until 'ctl resume'.")
                ])
        ],
        read: { words in words.text { word -> Bool? in ["resume": true, "no-resume": false][word] } },
        write: { [.text($0 ? "resume" : "no-resume")] })

    /// Commands for recordings: of the binaural output by a session, of the microphones by a capture.
    private static let recording: [Command] = [
        Command(
            "record", "begins the next take, or completes the present one; or `on`, `off`, `toggle`",
            .state(help: nil), in: [.session, .capture], execution: .ofRecordings, patience: 15,
            form: CommandForm("record toggle", word: "toggle"),
            reads: { .record(.turn(on: $0)) },
            writes: { if case .record(.turn(let isOn)) = $0 { .some(isOn) } else { nil } }),
        Command(
            "record/start", "begins a take of what the stage plays; optionally into a named file",
            perhaps(
                .path(
                    "a file's name", .writesTake, name: "file",
                    help: """
                        The file; its name may end in .wav, .rf64, .bw64, .w64, .caf, .aiff or .flac. Without one the \
                        take has the next number of the last name; the first take is ears.wav in the session's \
                        folder of recordings.
                        """
                ) { (1...RecordCommand.longestPath).contains($0.utf8.count) && !$0.contains("\0") }),
            in: [.session, .capture], line: "record", execution: .ofRecordings, patience: 15,
            form: CommandForm("record start take.wav"),
            reads: { .record(.start(file: $0)) },
            writes: { if case .record(.start(let file)) = $0 { .some(file) } else { nil } }),
        Command(
            "record/stop", "completes the take", in: [.session, .capture], line: "stop", execution: .ofRecordings,
            patience: 15, form: CommandForm("record stop"), means: .record(.stop)),
        Command(
            "record/marker", "sets a marker at the frame that is heard now; optionally with a name",
            perhaps(
                .text(
                    marker.words, name: "name", help: "Name of the marker (default: its number).", limit: marker,
                    read: { RecordCommand.name($0) })), in: [.session, .capture], line: "marker [NAME]",
            execution: .ofRecordings, patience: 15, form: CommandForm("record marker 'second verse'"),
            reads: { .record(.marker(name: $0)) },
            writes: { if case .record(.marker(let name)) = $0 { .some(name) } else { nil } }),
    ]

    /// Permitted names of markers.
    private static let marker = ArgumentLimit("a name of \(RecordCommand.longestName) bytes at most") {
        RecordCommand.name($0) != nil
    }

    /// Commands for the learn mode of a control surface.
    private static let surface: [Command] = [
        Command(
            "surface/learn", "binds the next control that is moved to an address",
            .text(
                "an address, as input/main/level or recentre", name: "address",
                help: "An address, as level, input/main/level, loudspeaker/FL/mute or recentre."
            ) { said in
                said.isEmpty ? nil : said.hasPrefix("/proscenium/") ? String(said.dropFirst(12)) : said
            }, form: CommandForm("surface learn loudspeaker/FL/mute"),
            reads: { .surface(.learn($0)) },
            writes: { if case .surface(.learn(let address)) = $0 { address } else { nil } }),
        Command(
            "surface/cancel", "cancels all addresses that wait for a control",
            form: CommandForm("surface cancel"), means: .surface(.cancel)),
    ]

    /// Commands for the calibration of a tracker's mounting. Its progress appears as values of the state
    /// (`TrackerCalibration`).
    private static let calibration: [Command] = [
        Command(
            "calibrate/start",
            """
            begins to calibrate the mounting of the head's tracker, or of the `device`'s; optionally with seconds for \
            each movement
            """,
            both(
                perhaps(
                    .word(
                        TrackedBody.self, name: "body", help: "The tracker: the head's or the device's.",
                        standard: TrackedBody.head.rawValue), else: .head),
                perhaps(
                    .number(
                        CalibrationCommand.seconds, movement, name: "seconds", option: "s", unit: "seconds",
                        help: "How long each movement takes, 0.5 to 60."), else: CalibrationCommand.usualSeconds)),
            form: CommandForm("calibrate start device --seconds 6"),
            reads: { .calibration(.start($0.0, seconds: $0.1)) },
            writes: {
                guard case .calibration(.start(let body, let seconds)) = $0 else { return nil }
                return (body, seconds)
            }),
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

    /// Permitted lengths of a calibration's movement, in words.
    private static let movement =
        "\(CalibrationCommand.seconds.lowerBound) to \(CalibrationCommand.seconds.upperBound) seconds a movement"
}
