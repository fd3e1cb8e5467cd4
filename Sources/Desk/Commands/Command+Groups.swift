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

        /// The groups, in the order in which the help lists them.
        package static let all = [
            Group(
                id: "interrupt", help: "Begins or ends an interruption, which ducks or pauses all other inputs.",
                remark: "Example: proscenium ctl interrupt begin navigation --duck -12"),
            Group(
                id: "record", help: "Starts and stops recordings of the stage, and sets markers in them.",
                remark: """
                    Examples: proscenium ctl record start take.wav; proscenium ctl record marker 'second verse';
                    proscenium ctl record stop

                    No file is replaced: if take.wav exists, the take is take-2.wav.
                    """),
            Group(
                id: "calibrate", help: "Finds by four movements how a tracker is mounted, while the session plays.",
                remark: """
                    Examples: proscenium ctl calibrate start head; proscenium ctl calibrate step (four times); \
                    proscenium ctl calibrate accept

                    'proscenium status' shows the progress. 'tracker calibrate' does the same without a session.
                    """),
            Group(
                id: "surface", help: "Binds the controls of --surface to addresses, one after the other.",
                remark: "Example: proscenium ctl surface learn input/main/level"),
            Group(
                id: "plugin", help: "Adds, removes, orders, bypasses and sets plugins while the session plays.",
                remark: """
                    Examples:
                      proscenium ctl plugin add 'ears=http://gareus.org/oss/lv2/dpl#stereo,name=limiter'
                      proscenium ctl plugin set limiter gain -3
                      proscenium ctl plugin bypass limiter

                    Every change is crossfaded over 50 ms. Bypass keeps the latency. 'ctl plugin list' shows the names.
                    """),
        ]
    }
}
