extension Command {
    /// The commands that the command line has, in the order of `all`.
    package static let typed = all.filter { $0.form != nil }

    /// A group of commands whose ids begin with the same word, for example `record/start` and `record/stop`. The help
    /// text lists the commands of a group together.
    package struct Group: Sendable {
        /// First word of the commands.
        package let id: String
        /// Purpose of the commands, a sentence.
        package let help: String
        /// Examples and notes.
        package let remark: String

        /// The groups of the commands `typed`, in the same order. The id of a group is the first word of all command
        /// ids that have several words.
        package static let all: [Group] = {
            var ids: [String] = []
            for row in Command.typed where row.id.contains("/") {
                let id = String(row.id.prefix { $0 != "/" })
                if !ids.contains(id) { ids.append(id) }
            }
            return ids.map { id in
                let (help, remark) = texts[id] ?? ("", "")
                return Group(id: id, help: help, remark: remark)
            }
        }()

        /// Help and remark of each group, by its id.
        private static let texts: [String: (help: String, remark: String)] = [
            "interrupt": (
                "Begins or ends an interruption, which ducks or pauses all other inputs.",
                "Example: proscenium ctl interrupt begin navigation --duck -12"
            ),
            "record": (
                "Starts and stops recordings of the stage, and sets markers in them.",
                """
                Examples: proscenium ctl record start take.wav; proscenium ctl record marker 'second verse';
                proscenium ctl record stop

                No file is replaced: if take.wav exists, the take is take-2.wav.
                """
            ),
            "calibrate": (
                "Finds by four movements how a tracker is mounted, while the session plays.",
                """
                Examples: proscenium ctl calibrate start head; proscenium ctl calibrate step (four times); \
                proscenium ctl calibrate accept

                'proscenium status' shows the progress. 'tracker calibrate' does the same without a session.
                """
            ),
            "surface": (
                "Binds the controls of --surface to addresses, one after the other.",
                "Example: proscenium ctl surface learn input/main/level"
            ),
            "plugin": (
                "Adds, removes, orders, bypasses and sets plugins while the session plays.",
                """
                Examples:
                  proscenium ctl plugin add 'ears=http://gareus.org/oss/lv2/dpl#stereo,name=limiter'
                  proscenium ctl plugin set limiter gain -3
                  proscenium ctl plugin bypass limiter

                Every change is crossfaded over 50 ms. Bypass keeps the latency. 'ctl plugin list' shows the names.
                """
            ),
        ]
    }
}

extension Command {
    /// Whether no argument is required.
    private var isBare: Bool { arguments.allSatisfy(\.isOptional) }

    /// Effect of a button that is bound to the command.
    package var button: Button {
        if arguments.contains(where: \.isState) { return .state }
        return isBare ? .press : .unusable
    }

    /// OSC Query types of the required arguments; `T` for a state; `N` if no argument is required.
    package var types: String {
        switch button {
        case .state: "T"
        case .press: "N"
        case .unusable: String(arguments.filter { !$0.isOptional }.map(\.type))
        }
    }

    /// Range of each required argument; empty unless all of them are numbers with a range.
    package var ranges: [ClosedRange<Double>] {
        let required = arguments.filter { !$0.isOptional }
        let ranges = required.compactMap(\.range)
        return ranges.count == required.count ? ranges : []
    }

    /// Forms of the arguments on the command line, in order; empty if the command line lacks the command.
    package var typedArguments: [CommandForm.Argument] { form == nil ? [] : arguments.flatMap(\.forms) }

    /// Permitted values of all arguments, as a phrase of the error message.
    private var permitted: String {
        arguments.enumerated().map { index, argument in
            index == 0 ? argument.words : (argument.isOptional ? ", then optionally " : ", then ") + argument.words
        }.joined()
    }

    /// Returns the error message for invalid arguments.
    package func refusal(at address: String) -> String {
        let taken =
            switch button {
            case .press where arguments.isEmpty: "nothing; a button's 1 performs it, and its 0 does nothing"
            case .press: "nothing or a button's 1, or \(permitted); a button's 0 does nothing"
            case .state: "nothing, 'on', 'off' or 'toggle'; a button's 1 is on and its 0 off"
            case .unusable: permitted
            }
        return "\(address) takes \(taken)"
    }

    /// The error message for invalid words typed after `ctl`. It does not mention buttons.
    package var typedRefusal: String {
        let said =
            switch button {
            case .press where arguments.isEmpty: "nothing"
            case .press: "nothing, or \(permitted)"
            case .state: "nothing, on, off or toggle"
            case .unusable: permitted
            }
        return "\(typedWords.joined(separator: " ")) takes \(form?.takes ?? said)"
    }

    /// The table of a session's commands in Markdown, for `Documentation/reference/commands.md`.
    package static var page: String {
        let rows = Self.rows(of: .desk).map { row in
            let (takes, pressed) =
                switch row.button {
                case .press where row.arguments.isEmpty: ("–", "1 does it")
                case .press: ("nothing, or \(row.permitted)", "1 does it, without an argument")
                case .state: ("nothing, `on`, `off` or `toggle`", "1 is on, 0 off")
                case .unusable: (row.permitted, "–")
                }
            let line = row.form.map { "`\($0.example)`" } ?? "–"
            return "| `\(row.id)` | \(takes) | \(pressed) | \(row.help) | \(line) |"
        }
        let head = ["| address | takes | a button's 1 and 0 | what it does | as with `ctl` |", "|---|---|---|---|---|"]
        return (head + rows).joined(separator: "\n")
    }
}
