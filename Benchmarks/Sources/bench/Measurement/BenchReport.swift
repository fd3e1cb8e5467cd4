/// Report of one run, as JSON. Comparisons match runs of different revisions by `schema`, `id` and
/// contenders' names, so these must not change; other fields may be added.
struct BenchReport: Codable {
    static let currentSchema = "proscenium-bench/1"

    /// Conditions of a run.
    struct Run: Codable {
        let revision: String
        let date: String
        /// Arguments of the command line.
        let arguments: [String]
        let seconds: Double
        /// One-minute load average at the beginning: other work on the machine lengthens the slowest steps.
        let loadBefore: Double
        let loadAfter: Double
        /// Share of the processors' time that the hypervisor gave to other machines.
        let stealShare: Double
    }

    /// A cell that could not be measured, and the reason.
    struct Absence: Codable {
        let id: String
        let reason: String
    }

    var schema = currentSchema
    let machine: Machine
    let run: Run
    let cells: [Cell]
    let absent: [Absence]
}
