import ArgumentParser
import Loading
import Offline
import Session
import Takes

/// Treatment of existing files with the names of a command's outputs; the same for all commands that write to given
/// paths.
///
/// On a terminal the command asks the user before any work; without a terminal it fails. Devices, pipes and `-` are
/// never asked about. A symbolic link counts as its target file, as with a shell's `>`, sox and ffmpeg.
struct OverwriteOption: ParsableArguments {
    @Flag(
        name: [.customLong("overwrite"), .customShort("y")],
        help: "Replace files of the outputs' names, unasked; without it a terminal asks, and all else is refused.")
    var overwrite = false

    /// Checks the outputs before the work begins; nil stands for an unused output.
    ///
    /// - Parameter inputs: files that are read, which no output may be.
    /// - Throws: a usage error where a file is there and stays, where an output is an input, and where two outputs
    ///   are one.
    func settle(_ outputs: [String?], keeping inputs: [String?] = []) throws(SessionError) -> Replacement {
        let outputs = outputs.compactMap(\.self)
        let twice = outputs.first { path in
            outputs.count { $0 == path } > 1 && OutputPlace(path).occupant != .device
        }
        if let twice { throw SessionError(.usage, "two outputs cannot go into one file, \(twice)") }
        return try OutputChoice(decide: decision).settle(outputs, keeping: inputs)
    }

    /// The same check, for writers that learn their outputs later.
    var decision: ReplacementDecision {
        if overwrite { return { (_) throws(SessionError) in .anything } }
        return { (outputs) throws(SessionError) in try ReplacementQuestion().settle(outputs) }
    }
}
