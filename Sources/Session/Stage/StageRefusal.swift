import Soundstage

/// Why a stage cannot be had as asked, in the words the user reads.
enum StageRefusal {
    /// Why a programme in a measured room has no width of its own.
    static func noWidthInRoom(_ name: String) -> String {
        "the sources of '\(name)' are as wide as the loudspeakers measured in this room; give it no width, or another room"
    }

    /// Why a sound field is always on the stage.
    static func noFold(of layout: Layout) -> String {
        "a sound field (\(layout.name)) is not folded down to two channels while it plays ('process --to stereo' does that)"
    }

    /// Why a sound field has no width.
    static func noWidth(of layout: Layout) -> String {
        "a sound field (\(layout.name)) has no sources that could be wide; its recording says how wide things are"
    }
}
