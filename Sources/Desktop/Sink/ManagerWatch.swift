/// Whether PipeWire's session manager has taken over the desktop's sink. Before that, it links no program to the sink.
/// Times are arguments, in seconds.
///
/// WirePlumber 0.4 cannot take over a sink that runs, because it waits for an answer that a running node does not give.
/// The sink runs as soon as a session is linked to it. The session is therefore linked to a new sink only when a
/// program is linked to the sink, or when the session manager has had `time` to take it over. When another session
/// manager starts, the sink is created again.
struct ManagerWatch: Sendable {
    /// Time after which a sink with ports counts as taken over, seconds.
    static let time = 0.5

    /// Whether the session may be linked to the sink.
    private(set) var hasSink = false
    /// Number of the session manager, as in `PipeWireGraph.manager`; nil before the first one.
    private var known: Int?
    /// Id of the sink once it has ports, and since when it has them, seconds; nil without such a sink.
    private var sink: (id: Int, since: Double)?

    /// Whether the sink has ports, but may not be linked yet. The wait ends after `time`.
    var isWaiting: Bool { sink != nil && !hasSink }

    /// Examines the present graph. Returns whether the sink must be created again.
    ///
    /// - Parameters:
    ///   - manager: number of the session manager; nil without one.
    ///   - id: id of the sink once it has ports, which the session manager makes; nil before.
    ///   - isFed: whether a program is linked to the sink.
    ///   - now: monotonic time, seconds.
    mutating func see(_ manager: Int?, sink id: Int?, isFed: Bool, at now: Double) -> Bool {
        let isNext = manager != nil && known != nil && manager != known
        known = manager ?? known
        if isNext || id != sink?.id { (sink, hasSink) = (id.map { ($0, now) }, false) }
        guard !isNext, let sink else { return isNext }
        if isFed || now >= sink.since + Self.time { hasSink = true }
        return false
    }
}
