/// A cell to be measured; its data are prepared only at the measurement.
struct CellPlan {
    let id: String
    let group: String
    /// Whether the short suite contains the cell.
    let isQuick: Bool
    /// Measures the cell.
    let measure: (Bench) throws -> Cell
}

/// A table of the report: plans its cells.
protocol CellGroup {
    /// Name of the group in ids and on the command line.
    static var name: String { get }
    /// Description of the group, one line.
    static var summary: String { get }
    static func plan() -> [CellPlan]
}
