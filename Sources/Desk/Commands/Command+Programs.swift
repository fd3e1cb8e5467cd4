import Capture

extension Command {
    /// Commands to the player of a preview.
    static let player: [Command] = [
        Command(
            "seek", "moves to a time in a preview's file, in seconds",
            .number(0...SessionCommand.Player.seconds.upperBound, "a number of seconds from the beginning"),
            in: .preview,
            reads: { .preview(.go(to: $0)) },
            writes: { if case .preview(.go(let seconds)) = $0 { seconds } else { nil } }),
        Command(
            "seek-by", "moves by a number of seconds in a preview's file, back if negative",
            .number(SessionCommand.Player.seconds, "a number of seconds (negative: back)"), in: .preview,
            reads: { .preview(.seek(by: $0)) },
            writes: { if case .preview(.seek(let seconds)) = $0 { seconds } else { nil } }),
        Command(
            "pause", "pauses a preview, or resumes it; or `on`, `off`, `toggle`", .state(help: otherState),
            in: .preview, form: CommandForm("pause off"),
            reads: { .preview(.pause($0)) },
            writes: { if case .preview(.pause(let isOn)) = $0 { .some(isOn) } else { nil } }),
        Command(
            "skip", "moves to a preview's next file, or by a number of files, back if negative",
            perhaps(files, else: 1), in: .preview, form: CommandForm("skip -1"),
            reads: { .preview(.skip($0)) }, writes: { if case .preview(.skip(let count)) = $0 { count } else { nil } }),
        Command(
            "loop", "repeats a preview's list, or ends the repetition; or `on`, `off`, `toggle`",
            .state(help: otherState),
            in: .preview, form: CommandForm("loop off"),
            reads: { .preview(.loop($0)) },
            writes: { if case .preview(.loop(let isOn)) = $0 { .some(isOn) } else { nil } }),
        Command(
            "gain-by", "changes a preview's gain by a number of dB",
            .number(
                gains, "a number of dB, \(ArgumentLimit.ends(of: gains))", name: "change", unit: "dB",
                help: "Change of the gain in dB."), in: .preview, form: CommandForm("gain-by -3"),
            reads: { .preview(.gain(by: $0)) },
            writes: { if case .preview(.gain(let change)) = $0 { change } else { nil } }),
    ]

    /// Permitted changes of the gain, dB.
    private static let gains = SessionCommand.Player.gains

    /// Help on an argument that is the state of a switch.
    private static let otherState = "on or off (default: the other of the two)."

    /// A number of files to skip, not 0.
    private static let files = CommandArguments<Int>(
        [
            CommandArgument(
                "a number of files (negative: back)", type: "i",
                forms: [
                    CommandForm.Argument(
                        "files", .numbers(1), "Number of files; a negative number moves back (default: 1).",
                        limit: ArgumentLimit("a whole number of files, not 0 (negative: back)") {
                            Int32($0).map { $0 != 0 } ?? false
                        })
                ])
        ], read: { words in words.count().flatMap { $0 == 0 ? nil : $0 } },
        write: { [.whole(Int32(clamping: $0))] })

    /// Commands of a capture, beside those for recordings, `status` and `watch`.
    static let capture: [Command] = [
        Command(
            "capture/source", "switches to other sources",
            .text("a pattern of ports, or one for each input") { said in
                let ports = String(trimmed(said[...]))
                return ports.isEmpty ? nil : ports
            }, in: .capture, line: "source PORTS", execution: .withoutChange,
            reads: { .capture(.source($0)) },
            writes: { if case .capture(.source(let ports)) = $0 { ports } else { nil } }),
        Command(
            "capture/orientation", "sets the orientation of the device",
            .word(InputOrientation.self, words: words(of: InputOrientation.self)), in: .capture,
            line: "orientation " + words(of: InputOrientation.self), execution: .withoutChange,
            reads: { .capture(.orientation($0)) },
            writes: { if case .capture(.orientation(let orientation)) = $0 { orientation } else { nil } }),
        Command(
            "capture/rendition", "sets the stereo rendition",
            .word(StereoRendition.self, words: words(of: StereoRendition.self)), in: .capture,
            line: "rendition " + words(of: StereoRendition.self), execution: .withoutChange,
            reads: { .capture(.rendition($0)) },
            writes: { if case .capture(.rendition(let rendition)) = $0 { rendition } else { nil } }),
    ]

    /// Commands for the measurement of a person or of headphones. Its progress appears as values of the state
    /// (`measurement/phase`).
    static let measurement: [Command] = [
        Command(
            "measure/begin", "begins the take that waits for the measured person", in: .measurement,
            execution: .withoutChange, means: .measurement(.begin)),
        Command(
            "measure/repeat",
            "repeats a measurement's take of the present look (head orientation) or fit; between takes, that of the last one",
            in: .measurement, execution: .withoutChange, means: .measurement(.again)),
        Command(
            "measure/skip", "leaves out a measurement's present look (head orientation) or fit", in: .measurement,
            execution: .withoutChange, means: .measurement(.skip)),
        Command(
            "measure/stop", "ends a measurement; its good takes are kept", in: .measurement,
            execution: .withoutChange, means: .measurement(.stop)),
    ]

    /// Reads a line of a capture's standard input: a word of `line`, and after it the argument, if the row has one.
    /// Returns nil if the line means no command.
    package static func read(line: String) -> Reading? {
        let words = trimmed(line[...])
        let word = words.prefix { !$0.isWhitespace }
        let argument = trimmed(words.dropFirst(word.count))
        for row in all {
            guard let syntax = row.line?.split(separator: " ", maxSplits: 1), syntax.first == word else { continue }
            guard argument.isEmpty || syntax.count > 1 else { return nil }
            return row.read(argument.isEmpty ? [] : [.text(String(argument))], of: "", at: row.id)
        }
        return nil
    }

    /// Returns a text without white space at its ends.
    static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return text
    }

    /// Syntax of all lines of a capture's standard input, for help texts and error messages.
    package static var lines: String {
        all.compactMap(\.line).joined(separator: ", ")
    }

    /// Returns the words of a type, separated by `|`.
    private static func words<Word: RawRepresentable<String> & CaseIterable>(of type: Word.Type) -> String {
        type.allCases.map(\.rawValue).joined(separator: "|")
    }
}

extension SessionCommand {
    /// The request that the command makes to a capture; nil if it makes none.
    package var captureRequest: CaptureRequest? {
        switch self {
        case .capture(let request): request
        case .record(.start(file: nil)): .begin
        case .record(.stop): .end
        case .record(.turn(let isOn)): .turn(on: isOn)
        case .record(.marker(let name)): .mark(name)
        default: nil
        }
    }
}

extension SessionCommand {
    /// Commands to a preview, in addition to those to a session.
    package enum Player: Sendable, Equatable {
        /// Goes to a position in the file, seconds.
        case go(to: Double)
        /// Moves by a time within the file, seconds.
        case seek(by: Double)
        /// Pauses or resumes; nil toggles.
        case pause(Bool?)
        /// Moves by a number of files in the list; negative moves back.
        case skip(Int)
        /// Switches the repetition of the list; nil toggles.
        case loop(Bool?)
        /// Changes the player's gain, dB; the gain stays within −60…20 dB.
        case gain(by: Double)

        /// Whether the command moves the position.
        package var moves: Bool {
            switch self {
            case .go, .seek, .skip: true
            case .pause, .loop, .gain: false
            }
        }

        /// Permitted change of the gain in one command, dB.
        package static let gains = -80.0...80
        /// Permitted changes of position, seconds. Positions are permitted from 0 to the upper bound.
        package static let seconds = -1e6...1e6
    }

    /// Commands for a measurement, which `measure me` and `measure headphones` carry out.
    package enum Measurement: Sendable, Equatable {
        /// Begins the take for which the person has got ready.
        case begin
        /// Records the present look or fit again; between two takes, records the last one again.
        case again
        /// Leaves the present look or fit out.
        case skip
        /// Ends the measurement; the valid takes are kept.
        case stop
    }
}
