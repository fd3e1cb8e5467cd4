import IMU
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

    /// Commands for playback as a whole.
    private static let playback: [Command] = [
        Command(
            "resume", "resumes after the ears lost their ports, or after an interruption that ended without a resume",
            form: CommandForm("resume"), means: .playback(.resume)),
        Command(
            "interrupt/begin",
            "begins an interruption by its name, with `pause`, or `duck` and dB; optionally with seconds",
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
            "interrupt/end", "ends an interruption by its name; optionally with `resume` or `no-resume`",
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
        .text("a name", name: "name", help: help, limit: .text(1...SessionCommand.Playback.longestName))
    }

    /// Permitted levels and leases of interruptions, as text.
    private static let levels = ArgumentLimit.ends(of: InterruptionEffect.levels)
    private static let leases = ArgumentLimit.ends(of: SessionCommand.Playback.leases)

    /// The lease of an interruption.
    private static let lease: CommandArguments<Double> = .number(
        SessionCommand.Playback.leases, "seconds (\(leases))", name: "lease", option: "seconds", unit: "seconds",
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
                ) { (1...SessionCommand.Recording.longestPath).contains($0.utf8.count) && !$0.contains("\0") }),
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
                    read: { SessionCommand.Recording.name($0) })), in: [.session, .capture], line: "marker [NAME]",
            execution: .ofRecordings, patience: 15, form: CommandForm("record marker 'second verse'"),
            reads: { .record(.marker(name: $0)) },
            writes: { if case .record(.marker(let name)) = $0 { .some(name) } else { nil } }),
    ]

    /// Permitted names of markers.
    private static let marker = ArgumentLimit("a name of \(SessionCommand.Recording.longestName) bytes at most") {
        SessionCommand.Recording.name($0) != nil
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
                        movements, "\(movements.lowerBound) to \(movements.upperBound) seconds a movement",
                        name: "seconds", option: "s", unit: "seconds",
                        help: "How long each movement takes, 0.5 to 60."),
                    else: SessionCommand.Calibration.usualSeconds)),
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

    /// Permitted lengths of a calibration's movement, seconds.
    private static let movements = SessionCommand.Calibration.seconds
}

extension SessionCommand {
    /// Commands for playback as a whole.
    package enum Playback: Sendable, Equatable {
        /// Resumes playback after a lost route, and after interruptions that ended without a resume.
        case resume
        /// Begins or renews an interruption, which ends after `lease` seconds without renewal. Nil: it ends only by a
        /// command.
        case beginInterruption(name: String, InterruptionEffect, lease: Double?)
        /// Ends an interruption; without `resumes` its effect stays until the user resumes.
        case endInterruption(name: String, resumes: Bool)

        /// Permitted length of a lease, seconds.
        package static let leases = 0.1...86_400
        /// Greatest length of an interruption's name, bytes.
        package static let longestName = 64
    }

    /// Commands for recordings: of the binaural output by a session, of the microphones by a capture.
    package enum Recording: Sendable, Equatable {
        /// Starts a take in a file. If the file exists, the take gets the next free number. Nil: the next take under
        /// the last name, which is `ears.wav` before the first take.
        case start(file: String?)
        /// Completes the take.
        case stop
        /// Starts a take (true), completes it (false), or toggles (nil). Has no effect if the state is already reached.
        case turn(on: Bool?)
        /// Sets a marker at the sound that is heard now. Nil: the marker's number is its name.
        case marker(name: String?)

        /// Greatest length of a marker's name, bytes; all formats can store it.
        package static let longestName = 250
        /// Greatest length of a file path, bytes.
        package static let longestPath = 4000
        /// Default file of the first take.
        package static let usualFile = "ears.wav"

        /// Returns a marker's name in one line, with single spaces and none at its ends; nil if it is empty or too
        /// long.
        package static func name(_ said: String) -> String? {
            let line = said.map { $0.isNewline || $0 == "\t" || $0 == "\0" ? " " : $0 }
            let name = String(line).split(separator: " ").joined(separator: " ")
            return name.isEmpty || name.utf8.count > longestName ? nil : name
        }
    }

    /// Commands to a control surface while a session runs.
    package enum Surface: Sendable, Equatable {
        /// Binds the next control that is moved to an address, after the bindings that already wait.
        case learn(String)
        /// Cancels all waiting bindings.
        case cancel
    }

    /// Commands for the calibration of a tracker's mounting while a session runs.
    package enum Calibration: Sendable, Equatable {
        /// Starts a calibration, and discards an unfinished one. `seconds`: length of each movement.
        case start(TrackedBody, seconds: Double)
        /// Starts the next movement.
        case step
        /// Applies and stores the result.
        case accept
        /// Cancels the calibration; the mounting stays as before.
        case cancel

        /// Default length of a movement, seconds.
        package static let usualSeconds = MountingCourse.usualSeconds
        /// Permitted length of a movement, seconds.
        package static let seconds = MountingCourse.seconds
    }
}
