import ArgumentParser
import Foundation

/// Shell scripts that complete the program's commands and options.
enum CompletionScript {
    /// Returns the output of `--generate-completion-script SHELL`; nil for other arguments.
    ///
    /// ArgumentParser's script for bash offers the commands of `ctl`, but not the words of its default command: the
    /// words of `ctl set` are added there.
    static func asked(by arguments: [String]) -> String? {
        let option = "--generate-completion-script"
        guard arguments == [option, "bash"] || arguments == [option + "=bash"] else { return nil }
        let head = "\n_proscenium_ctl() {\n"
        let others = "    *)\n"
        let script = Proscenium.completionScript(for: .bash)
        guard let start = script.range(of: head),
            let place = script.range(of: others, range: start.upperBound..<script.endIndex)
        else { return nil }
        let set = """
                    local -ri behind="${#unparsed_words[@]}"
                    unparsed_words=("${subcommand}" "${unparsed_words[@]}")
                    _proscenium_ctl_set
                    ((behind)) && return

            """
        return script.replacingCharacters(in: place, with: others + set)
    }
}
