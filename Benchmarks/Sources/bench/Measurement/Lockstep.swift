import Foundation

/// Alternates turns with a process of another revision: a script connected to both lets one work at a time, so that two
/// compared turns are milliseconds apart. Lines on standard output and input:
///
///     taps NUMBER                    length of the filters of the next cell, if it has filters
///     cell ID<tab>NAME<tab>NAME…     our contenders of the next cell, sorted
///     ready                          waits for a line; then does one turn of the next contender
///     took NANOSECONDS               the turn's lower quartile per unit of work
///     void REASON                    the cell's results are wrong
struct Lockstep {
    /// Number of turns of each contender.
    let turns: Int

    func announce(_ id: String, _ names: [String], taps: Int?) {
        if let taps { say("taps \(taps)") }
        say((["cell \(id)"] + names).joined(separator: "\t"))
    }

    /// Waits for this process's turn; exits the process at the end of standard input.
    func wait() {
        say("ready")
        guard readLine() != nil else { exit(0) }
    }

    func report(_ nanoseconds: Double) { say("took \(nanoseconds)") }
    func void(_ reason: String) { say("void \(reason)") }

    private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
