import Measurement
import Offline
import Session

/// What a command has to say when its work is done: to people in lines, to programs as JSON.
protocol SpokenReport: Encodable {
    /// The report in words.
    var lines: [String] { get }
}

extension BakeReport: SpokenReport {}
extension ProcessReport: SpokenReport {}
extension RenderReport: SpokenReport {}
extension UpmixReport: SpokenReport {}
extension CapacityReport: SpokenReport {}
extension LatencyReport: SpokenReport {}

/// Does a command's work from its first to its last word: shows how far it is, lets Ctrl-C end it, and reports.
///
/// - Parameters:
///   - what: what is done, for the line that shows how far it is.
///   - json: whether the report is printed as JSON, on standard output.
///   - isAnswer: whether the words are what was asked for, and belong on standard output too;
///     else they go to standard error.
///   - work: is handed what it tells the share done, which answers false once the user wants an end.
func report<Report: SpokenReport>(
    _ what: String, json: Bool, isAnswer: Bool = false,
    _ work: (_ progress: @escaping @Sendable (Double) -> Bool) async throws -> Report
) async throws {
    let interrupt = Interrupt()
    let progress = Progress(what)
    defer { progress.finish() }
    let found = try await work(progress.until(interrupt))
    progress.finish()
    if json { return try JSONText.print(found) }
    for line in found.lines {
        if isAnswer { print(line) } else { say(line) }
    }
}
