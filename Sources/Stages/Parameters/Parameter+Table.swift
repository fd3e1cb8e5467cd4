extension Parameter {
    /// The table: every parameter there is, in the order help shows them.
    package static let all: [Parameter] =
        makings + stage + preparation + engine + rooms + headphones + tracking + inputs + inputSwitches + upmix + mix
        + loudness + monitor + past
        + loudspeakers
        + staging

    /// Present names by former ones.
    package static let renamed = Dictionary(
        uniqueKeysWithValues: all.flatMap { parameter in parameter.former.map { ($0, parameter.id) } })

    /// What `loudspeaker NAME WORD` sets of a loudspeaker, by that word; nil where there is nothing of it.
    package static func ofLoudspeaker(_ word: String) -> Parameter? {
        let found = byName["loudspeaker-" + word] ?? byName[word]
        return found.flatMap { $0.isOfLoudspeakers ? $0 : nil }
    }

    /// The word after a loudspeaker's name, where it is a parameter of loudspeakers.
    package var loudspeakerWord: String {
        id.hasPrefix("loudspeaker-") ? String(id.dropFirst("loudspeaker-".count)) : id
    }

    /// The option of the command line that says it, without its dashes.
    package var option: String { Self.options[id] ?? id }

    /// The same by a parameter's name; what is none's is its own.
    package static func option(of name: String) -> String { named(name)?.option ?? name }

    /// Options that are called otherwise than the parameter.
    private static let options = ["room-name": "room", "headphone-eq-file": "headphone-eq"]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// The parameter of a name, present or former; nil where there is none.
    package static func named(_ name: String) -> Parameter? { byName[name] ?? renamed[name].flatMap { byName[$0] } }

    /// The table in Markdown, for `Documentation/parameters.md`.
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
