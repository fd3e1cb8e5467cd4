/// Everything one run says, as JSON. Comparisons lay runs of different revisions side by side by `schema`, `id` and
/// contenders' names, so these stay what they are; other fields may be added.
struct BenchReport: Codable {
    static let currentSchema = "proscenium-bench/1"

    /// How a run went.
    struct Run: Codable {
        let revision: String
        let date: String
        /// The command's words.
        let arguments: [String]
        let seconds: Double
        /// One-minute load average at the beginning: other work on the machine makes tails long.
        let loadBefore: Double
        let loadAfter: Double
        /// Share of the processors' time that a hypervisor gave to others.
        let stealShare: Double
    }

    /// What could not be measured here.
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
