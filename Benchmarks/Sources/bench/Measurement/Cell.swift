/// One row of the report: contenders that do the same work in turn.
struct Cell: Codable {
    /// Permanent name of the cell, across revisions: `moving/n16/slice64/period64/taps256`.
    let id: String
    /// Group (table) of the cell.
    let group: String
    /// Description of the work.
    let title: String
    /// Unit of the figures: "ns per frame and source", "µs" …
    let unit: String
    /// Conditions of the measurement: sizes, table and cache, direction sequence, refresh interval.
    let facts: Facts
    let contenders: [Figures]
    /// Reason why the figures are invalid; nil where all results agree.
    let void: String?
}

/// Conditions under which a cell was measured; nil where one does not apply.
struct Facts: Codable {
    var sources: Int?
    /// Frames per call.
    var period: Int?
    /// Frames per slice of the product.
    var slice: Int?
    /// Interval between filter updates while the head turns, frames; nil where it is still.
    var refresh: Int?
    var taps: Int?
    var sampleRate: Double?
    var size: Int?
    var order: Int?
    /// Size of the product's filters, bytes.
    var tableBytes: Int?
    var tablePlace: String?
    /// Sequence of the directions.
    var directions: String?
    /// Source of the filters.
    var filters: String?
    /// Number of plugin instances for the channels.
    var instances: Int?
    /// Reference for the results.
    var truth: String?
}

/// Figures of one contender.
struct Figures: Codable {
    let name: String
    let role: Role
    let remark: String
    /// Time per unit of work, nanoseconds, by the cell's statistic (median of steps, or of the means of whole turns).
    let value: Double
    /// Lower quartile of that time; comparisons of revisions use it, because other work affects it less.
    let lowerQuartile: Double
    /// Median time of a step, microseconds.
    let medianMicroseconds: Double
    let p99Microseconds: Double
    let longestMicroseconds: Double
    /// Times by position in the cycle, for work that comes in cycles.
    let cycle: CycleFigures?
    /// Processor time of all threads divided by elapsed time; above 1 where a contender has threads of its own.
    let processorShare: Double
    let steps: Int
    /// Allocations of the measuring thread in all timed steps.
    let allocations: UInt64
    /// Memory that the contender holds after its creation, bytes.
    let bytes: Int64
    /// 20·log10(rms(difference from the truth) / rms(truth)), worst row; nil where nothing could be compared.
    let errorDecibels: Double?
}
