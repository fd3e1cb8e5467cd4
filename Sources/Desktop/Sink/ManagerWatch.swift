/// Whether the session manager has taken over the desktop's sink, without which it links no program to the sink. It is
/// a value; times are arguments.
///
/// WirePlumber 0.4 cannot take over a sink that runs: it waits for an answer that the node does not give. The sink runs
/// as soon as a session takes its sound. So the session is linked to a new sink when a program is linked to it, or when
/// the session manager has had time to take it over. When a session manager follows another one, the sink is made anew.
struct ManagerWatch: Sendable {
    /// Time that the session manager has for a sink whose ports it has made, seconds.
    static let time = 0.5

    /// Whether the session may be linked to the sink.
    private(set) var hasSink = false
    /// Number of the session manager, as in `PipeWireGraph.manager`; nil before the first one.
    private var known: Int?
    /// The sink that has ports, by its id, and since when, seconds; nil without one.
    private var sink: (id: Int, since: Double)?

    /// Whether time alone ends the wait.
    var isWaiting: Bool { sink != nil && !hasSink }

    /// Takes note of the present graph. Returns whether the sink has to be made anew.
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
