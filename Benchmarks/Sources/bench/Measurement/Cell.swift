/// One row of the report: contenders that do the same work in turn.
struct Cell: Codable {
    /// Names the cell for good, across revisions: `moving/n16/slice64/period64/taps256`.
    let id: String
    /// Which table it belongs to.
    let group: String
    /// What is done, in words.
    let title: String
    /// Of the figures: "ns per frame and source", "µs" …
    let unit: String
    /// What the reader must know to judge the figure: sizes, table and cache, direction sequence, refresh interval.
    let facts: Facts
    let contenders: [Figures]
    /// Why the figures count for nothing; nil where all results agree.
    let void: String?
}

/// Under which conditions a cell was measured; what does not apply is left out.
struct Facts: Codable {
    var sources: Int?
    /// Frames per call.
    var period: Int?
    /// Frames per slice of our grid.
    var slice: Int?
    /// Frames from one set of filters to the next while the head turns; none where it is still.
    var refresh: Int?
    var taps: Int?
    var sampleRate: Double?
    var size: Int?
    var order: Int?
    /// Of our filters: bytes, and the cache that holds them.
    var tableBytes: Int?
    var tablePlace: String?
    /// Which filters follow each other.
    var directions: String?
    /// Where the filters come from.
    var filters: String?
    /// Instances of a plugin that the channels need.
    var instances: Int?
    /// What the results were held to.
    var truth: String?
}

/// How one contender did.
struct Figures: Codable {
    let name: String
    let role: Role
    let remark: String
    /// The figure: nanoseconds per unit of work, by the cell's statistic (median of steps, or of whole turns' means).
    let value: Double
    /// The same by the faster quarter of steps: what comparisons of revisions use, less touched by other work.
    let lowerQuartile: Double
    /// Microseconds per step.
    let medianMicroseconds: Double
    let p99Microseconds: Double
    let longestMicroseconds: Double
    /// The same by place in the cycle, for work that comes in cycles.
    let cycle: CycleFigures?
    /// Processor time of all threads over the time that passed; above 1 where a contender has threads of its own.
    let processorShare: Double
    let steps: Int
    /// Allocations of the measuring thread in all timed steps.
    let allocations: UInt64
    /// Bytes that making it took and kept.
    let bytes: Int64
    /// 20·log10(rms(difference from the truth) / rms(truth)), worst row; nil where nothing could be compared.
    let errorDecibels: Double?
}
