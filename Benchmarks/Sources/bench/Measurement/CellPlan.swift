/// A cell to be measured: cheap to hold, made ready only when its time comes.
struct CellPlan {
    let id: String
    let group: String
    /// Whether the short suite has it too.
    let isQuick: Bool
    /// Measures it.
    let measure: (Bench) throws -> Cell
}

/// A table of the report: plans its cells.
protocol CellGroup {
    /// As in ids and on the command line.
    static var name: String { get }
    /// What it measures, one line for `list`.
    static var summary: String { get }
    static func plan() -> [CellPlan]
}
