import ArgumentParser
import Loading
import Offline
import Session
import Takes

/// Treatment of existing files with the names of a command's outputs; the same for all commands that write to given
/// paths.
///
/// If such a file exists, the command asks the user on a terminal before any work, and fails without a terminal.
/// Devices and pipes need no permission; `-` is refused. A symbolic link counts as its target file, as with a shell's
/// `>`, sox and ffmpeg.
struct OverwriteOption: ParsableArguments {
    @Flag(
        name: [.customLong("overwrite"), .customShort("y")],
        help:
            "Replace existing files of the outputs' names without a question. Without the flag a terminal asks; without a terminal the command ends."
    )
    var overwrite = false

    /// Checks the outputs before the work begins; nil stands for an unused output.
    ///
    /// - Parameter inputs: files that are read, which no output may be.
    /// - Throws: a usage error for an existing file that may not be replaced, for an output that is an input, and for
    ///   two outputs of one path.
    func settle(_ outputs: [String?], keeping inputs: [String?] = []) throws(SessionError) -> Replacement {
        let outputs = outputs.compactMap(\.self)
        let twice = outputs.first { path in
            outputs.count { $0 == path } > 1 && OutputPlace(path).occupant != .device
        }
        if let twice { throw SessionError(.usage, "two outputs cannot go into one file, \(twice)") }
        return try OutputChoice(decide: decision).settle(outputs, keeping: inputs)
    }

    /// Decision on existing files alone, for writers that determine their outputs later: permits all with `overwrite`,
    /// else asks.
    var decision: ReplacementDecision {
        if overwrite { return { (_) throws(SessionError) in .anything } }
        return { (outputs) throws(SessionError) in try ReplacementQuestion().settle(outputs) }
    }
}
