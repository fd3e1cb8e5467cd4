import Stages

/// The tables of parameters and commands as lists of the manual page, in mdoc.
package enum ManualTables {
    /// The lists, by their placeholders in `Documentation/proscenium.1`.
    package static var all: [String: String] { ["parameters": parameters, "commands": commands] }

    private static var parameters: String {
        list(
            Parameter.all.map { row in
                let takes = row.takes == "nothing" ? "" : " Ar \(quoted(row.takes))"
                return (".It Cm \(row.id)" + takes, text([row.sentence]))
            })
    }

    private static var commands: String {
        list(
            Command.typed.map { row in
                let words = row.typedWords.joined(separator: " ")
                let name = row.id.contains("NAME") ? " Ar name" : ""
                let arguments = row.typedArguments.filter { !$0.isHidden }.map(written)
                return (".It Cm \(words)" + name + arguments.joined(), text([row.sentence, row.form?.remark]))
            })
    }

    /// Returns the syntax of an argument.
    private static func written(_ argument: CommandForm.Argument) -> String {
        let place =
            switch argument.kind {
            case .text, .path, .numbers(1): "Ar \(argument.name)"
            case .rest, .numbers: "Ar \(argument.name) ..."
            case .word(let words): "Cm \(words.joined(separator: "|"))"
            case .option(_, let value): "Fl -\(argument.name) Ar \(value)"
            case .flag: "Fl -\(argument.name)"
            case .choice: "Fl -\(argument.name) | Fl -no-\(argument.name)"
            }
        let isNeeded =
            switch argument.kind {
            case .option, .flag, .choice: false
            default: argument.standard == nil
            }
        return isNeeded ? " " + place : " Oo \(place) Oc"
    }

    private static func list(_ items: [(head: String, text: String)]) -> String {
        ([".Bl -tag -width Ds"] + items.flatMap { [$0.head, $0.text] } + [".El"]).joined(separator: "\n")
    }

    private static func text(_ sentences: [String?]) -> String {
        sentences.compactMap(\.self).map { "\\&" + $0 + ($0.hasSuffix(".") ? "" : ".") }.joined(separator: "\n")
    }

    private static func quoted(_ words: String) -> String { "\"\(words)\"" }
}
