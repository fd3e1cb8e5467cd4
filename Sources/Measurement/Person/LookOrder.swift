/// Looks of a measurement in their order. A look is a direction of the head, named by its planned yaw in degrees, or a
/// fit of headphones (each time they are put on), named by its number.
struct LookOrder: Equatable, Sendable {
    /// Looks for which a take is still needed, the present one first.
    private(set) var open: [Double]
    /// Looks with a good take since the measurement began.
    private(set) var kept: Set<Double> = []

    /// Creates the order of the looks without a good take.
    init(_ open: [Double]) { self.open = open }

    /// The look for which a take is recorded now; nil after the last one.
    var present: Double? { open.first }

    /// Whether the present look has a good take, which the next one replaces.
    var isAgain: Bool { present.map { kept.contains($0) } ?? false }

    /// Notes a good take of the present look, and goes on to the next one.
    mutating func keep() { kept.insert(open.removeFirst()) }

    /// Leaves the present look out; a good take of it stays.
    mutating func skip() { open.removeFirst() }

    /// Makes a look with a good take of this measurement the present one, before the others. If the look is the present
    /// one already, nothing changes. Returns false for any other look.
    mutating func again(_ look: Double) -> Bool {
        guard look != present else { return true }
        guard kept.contains(look) else { return false }
        // The look may be in the list already, because it was requested before another look was.
        open.removeAll { $0 == look }
        open.insert(look, at: 0)
        return true
    }
}
