import Foundation

/// Scripts with which a shell completes the program's command lines: each asks the program for the words that fit, so
/// all three shells offer the same.
enum CompletionScript: String {
    case bash, zsh, fish

    /// Returns the output of `--generate-completion-script SHELL`; nil for other arguments.
    static func asked(by arguments: [String]) -> String? {
        let option = "--generate-completion-script"
        guard let first = arguments.first, first == option || first.hasPrefix(option + "=") else { return nil }
        let name = first == option ? arguments.dropFirst().first : String(first.dropFirst(option.count + 1))
        return name.flatMap { Self(rawValue: $0) }?.text
    }

    private var text: String {
        switch self {
        case .bash: Self.bashText
        case .zsh: Self.zshText
        case .fish: Self.fishText
        }
    }

    /// Readline splits words at `=` and `:`, and replaces only the part after the last of these characters.
    private static let bashText = #"""
        _proscenium() {
            local line="${COMP_LINE:0:COMP_POINT}" piece word prefix=""
            local -a words=() found=()
            local -i index
            for ((index = 0; index <= COMP_CWORD; index++)); do
                piece="${COMP_WORDS[index]}"
                word="${line#"${line%%[![:space:]]*}"}"
                ((index == COMP_CWORD)) && piece="${word}"
                if ((index == 0)) || [[ "${line}" == [[:space:]]* ]]; then
                    words+=("${piece}")
                else
                    words[-1]+="${piece}"
                fi
                line="${word#"${piece}"}"
            done
            word="${words[-1]#[\"\']}"
            IFS= read word <<<"${word}"
            words[-1]="${word}"
            mapfile -t found < <("${words[0]/#\~/"${HOME}"}" ---offer "${words[@]:1}" 2>/dev/null)
            local -r breaks="${COMP_WORDBREAKS//[^=:]/}"
            [[ -n "${breaks}" && "${word}" == *["${breaks}"]* ]] && prefix="${word%"${word##*["${breaks}"]}"}"
            COMPREPLY=()
            for word in "${found[@]}"; do
                word="${word%%$'\t'*}"
                COMPREPLY+=("${word#"${prefix}"}")
                [[ -e "${word}" ]] && compopt -o filenames 2>/dev/null
                [[ "${word}" == *[=:/] ]] && compopt -o nospace 2>/dev/null
            done
            return 0
        }
        complete -F _proscenium proscenium
        """#

    private static let zshText = #"""
        #compdef proscenium
        _proscenium() {
            local -a found plain open plain_shown open_shown typed
            local line word
            typed=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
            found=("${(@f)$("${${(Q)words[1]}/#\~/$HOME}" ---offer "${typed[@]}" 2>/dev/null)}")
            for line in "${found[@]}"; do
                word="${line%%$'\t'*}"
                [[ -n "${word}" ]] || continue
                line="${word}  ${line#*$'\t'}"
                if [[ "${word}" == *[=:/] ]]; then
                    open+=("${word}")
                    open_shown+=("${line}")
                else
                    plain+=("${word}")
                    plain_shown+=("${line}")
                fi
            done
            local -i ret=1
            (($#plain)) && compadd -V words -l -d plain_shown -a plain && ret=0
            (($#open)) && compadd -V words -l -S '' -d open_shown -a open && ret=0
            return ret
        }
        if [[ "${funcstack[1]}" == _proscenium ]]; then
            _proscenium "$@"
        else
            compdef _proscenium proscenium
        fi
        """#

    private static let fishText = #"""
        function __proscenium_offers
            set -l words (commandline -opc)
            set -l typed (commandline -ct)
            set -l plain (string unescape -- "$typed"); or set plain (string trim -l -c '"\'' -- "$typed")
            $words[1] ---offer $words[2..-1] "$plain" 2>/dev/null
        end
        complete -c proscenium -f -k -a '(__proscenium_offers)'
        """#
}
