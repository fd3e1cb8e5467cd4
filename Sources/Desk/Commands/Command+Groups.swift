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

        /// The groups of `typed`, in its order: the first words of all ids of several words.
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
