import Measurement
import Offline
import Session

/// Report of a command's work: text lines for people, JSON for programs.
protocol SpokenReport: Encodable {
    /// The report as lines of text.
    var lines: [String] { get }
}

extension BakeReport: SpokenReport {}
extension ProcessReport: SpokenReport {}
extension RenderReport: SpokenReport {}
extension UpmixReport: SpokenReport {}
extension CapacityReport: SpokenReport {}
extension LatencyReport: SpokenReport {}
extension ResponseReport: SpokenReport {}
extension SweepFile.Report: SpokenReport {}

/// Runs a command's work: shows its progress, ends it at Ctrl-C, and prints the report.
///
/// - Parameters:
///   - what: name of the work, for the progress line.
///   - json: whether the report is printed as JSON, on standard output.
///   - isAnswer: whether the text goes to standard output as the command's result; else it goes to standard error.
///   - work: gets a callback for the share done, which returns false once the user has requested the end.
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
