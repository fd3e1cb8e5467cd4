/// Looks of a measurement in the order in which they are taken: by their planned yaws in degrees, or by the numbers of
/// fits.
struct LookOrder: Equatable, Sendable {
    /// Looks that a take is still needed of, the present one first.
    private(set) var open: [Double]
    /// Looks with a good take since the measurement began.
    private(set) var kept: Set<Double> = []

    /// Takes the looks without a good take, in their order.
    init(_ open: [Double]) { self.open = open }

    /// The look that is taken now; nil after the last one.
    var present: Double? { open.first }

    /// Whether the present look has a good take, which the next one replaces.
    var isAgain: Bool { present.map { kept.contains($0) } ?? false }

    /// Notes a good take of the present look, and goes on to the next one.
    mutating func keep() { kept.insert(open.removeFirst()) }

    /// Leaves the present look out; a good take of it stays.
    mutating func skip() { open.removeFirst() }

    /// Makes a look with a good take the present one, before the others. Returns false for any other look.
    mutating func again(_ look: Double) -> Bool {
        guard look != present else { return true }
        guard kept.contains(look) else { return false }
        open.insert(look, at: 0)
        return true
    }
}
