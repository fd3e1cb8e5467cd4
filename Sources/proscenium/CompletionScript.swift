import ArgumentParser
import Foundation

/// The scripts that teach a shell the program's words.
enum CompletionScript {
    /// What `--generate-completion-script SHELL` prints; nil where that is not what was asked.
    ///
    /// ArgumentParser's script for bash offers the commands of `ctl` and nothing of the one that may be left out: there
    /// the words of `ctl set` are offered as well.
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
