import ArgumentParser
import Loading
import Offline
import Session
import Takes

/// What a command does when one of its output files exists already; the same for all commands whose output paths the
/// user types.
///
/// On a terminal the command asks before any work, unless `--overwrite` is given; without a terminal it fails. Devices
/// and pipes are written to without a question. `-` (standard output) is an error. A symbolic link counts as its target
/// file, as with a shell's `>`, sox and ffmpeg.
struct OverwriteOption: ParsableArguments {
    @Flag(
        name: [.customLong("overwrite"), .customShort("y")],
        help:
            "Replace existing output files without a question. Without the flag, the command asks on a terminal, and fails where there is none."
    )
    var overwrite = false

    /// Checks the outputs before the work begins; nil stands for an unused output.
    ///
    /// - Parameter inputs: files that the command reads; an output that is one of them is an error.
    /// - Returns: which of the files may be replaced.
    /// - Throws: a usage error for an existing file that may not be replaced, for an output that is an input or `-`,
    ///   and for two outputs that are the same file, also by different paths.
    func settle(_ outputs: [String?], keeping inputs: [String?] = []) throws(SessionError) -> Replacement {
        let outputs = outputs.compactMap(\.self)
        if let (first, second) = OutputPlace.collision(outputs) {
            throw SessionError(
                .usage, "two outputs cannot go into one file, \(first)\(first == second ? "" : " and \(second)")")
        }
        return try OutputChoice(decide: decision).settle(outputs, keeping: inputs)
    }

    /// For commands that choose their file names later: a function that allows every replacement with `--overwrite`,
    /// and asks otherwise.
    var decision: ReplacementDecision {
        if overwrite { return { (_) throws(SessionError) in .anything } }
        return { (outputs) throws(SessionError) in try ReplacementQuestion().settle(outputs) }
    }
}
