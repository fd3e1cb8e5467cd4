import ArgumentParser
import Loading
import Offline
import Session
import Takes

/// What becomes of files that have the names of a command's outputs already: the one habit of all commands that write
/// files that are named to them.
///
/// On a terminal the user is asked, before any work is done; without one the command is refused. Devices, pipes and `-`
/// are never asked about. A symbolic link stands for the file that it leads to, as for a shell's `>`, sox and ffmpeg.
struct OverwriteOption: ParsableArguments {
    @Flag(
        name: [.customLong("overwrite"), .customShort("y")],
        help: "Replace files of the outputs' names, unasked; without it a terminal asks, and all else is refused.")
    var overwrite = false

    /// Decides of some outputs, before the work begins; nil stands for an output that is not wanted.
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

    /// The same for what decides when it knows what it will write.
    var decision: ReplacementDecision {
        if overwrite { return { (_) throws(SessionError) in .anything } }
        return { (outputs) throws(SessionError) in try ReplacementQuestion().settle(outputs) }
    }
}
