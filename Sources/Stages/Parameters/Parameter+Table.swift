extension Parameter {
    /// The table of all parameters, in the order of the help text.
    package static let all: [Parameter] =
        makings + stage + preparation + engine + rooms + headphones + tracking + inputs + inputSwitches + upmix + mix
        + loudness + monitor + away + past
        + loudspeakers
        + staging

    /// Present names by former names.
    package static let renamed = Dictionary(
        uniqueKeysWithValues: all.flatMap { parameter in parameter.former.map { ($0, parameter.id) } })

    /// Returns the parameter that `loudspeaker NAME WORD` sets, by WORD; nil if there is none.
    package static func ofLoudspeaker(_ word: String) -> Parameter? {
        let found = byName["loudspeaker-" + word] ?? byName[word]
        return found.flatMap { $0.isOfLoudspeakers ? $0 : nil }
    }

    /// The word after a loudspeaker's name, for a parameter of loudspeakers.
    package var loudspeakerWord: String {
        id.hasPrefix("loudspeaker-") ? String(id.dropFirst("loudspeaker-".count)) : id
    }

    /// Option of the command line, without dashes.
    package var option: String { Self.options[id] ?? id }

    /// Returns the option of a parameter by its name; any other name is returned unchanged.
    package static func option(of name: String) -> String { named(name)?.option ?? name }

    /// Options whose names differ from the parameter's.
    private static let options = ["room-name": "room", "headphone-eq-file": "headphone-eq"]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// Returns the parameter with a present or former name; nil if there is none.
    package static func named(_ name: String) -> Parameter? { byName[name] ?? renamed[name].flatMap { byName[$0] } }

    /// The table in Markdown, for `Documentation/reference/parameters.md`.
    package static var page: String {
        let rows = all.map { parameter in
            let said = parameter.isChoice ? "at first, later" : "later"
            return
                "| `\(parameter.id)` | \(parameter.takes) | \(parameter.standard ?? "–") | \(said) | \(parameter.help) |"
        }
        return (["| name | takes | unless said | when | what it does |", "|---|---|---|---|---|"] + rows)
            .joined(separator: "\n")
    }
}

/// Places in the panel.
extension Parameter {
    /// Subsections of the panel: controls of a section that are shown and hidden together.
    package enum Subsection: String, Sendable, CaseIterable {
        /// Of an input: its place and way of playing; its upmix; its mix of a sound field; its loudness.
        case placing, upmix, mix, loudness
        /// Of the stage: the room; the headphones; level and limiter of the output; preparation of the HRTF set.
        case room, headphones, output, preparation
        /// Of the monitor section: comparisons; talkback; the listener who looks away; level in dB SPL.
        case comparing, talkback, lookAway, calibration
        /// Of the scenes: the blind comparison; the print bus.
        case blind, printing
    }

    /// Returns the default subsection of a group's rows.
    static func subsection(of group: Group) -> Subsection? {
        switch group {
        case .room: .room
        case .headphones: .headphones
        case .upmix: .upmix
        case .mix: .mix
        case .loudness: .loudness
        case .stage, .tracking, .input, .monitor, .loudspeaker, .scenes: nil
        }
    }
}
