/// A fault in a tracker's stream that the user can remedy.
package struct TrackerComplaint: Hashable, Sendable {
    /// Name of the fault for programs: the name of a `StampFault`, `clipping` or `secondSender`; a session adds `gap`
    /// and `late`.
    package let name: String
    /// The fault, how it is treated, and the remedy; one line.
    package let words: String

    /// Creates a complaint.
    package init(name: String, words: String) {
        self.name = name
        self.words = words
    }
}

extension TrackerHealth {
    /// Seconds after a clipped sample during which clipping is reported.
    private static let clippingMemory = 60.0

    /// Present faults: a second sender, clipping, then faults of the stamps; empty if there are none.
    package var complaints: [TrackerComplaint] {
        var found: [TrackerComplaint] = []
        // A second sender is reported until five seconds after its last datagram.
        if let otherSender, let sender, otherArrival > (lastArrival ?? 0) - 5 {
            found.append(
                TrackerComplaint(
                    name: "secondSender",
                    words: "a second sender, \(otherSender), is ignored (\(ignored) datagrams) while \(sender) sends: "
                        + "give each tracker a port of its own"))
        }
        if let clipping, clipping.arrival > (lastArrival ?? 0) - Self.clippingMemory {
            found.append(
                TrackerComplaint(
                    name: "clipping",
                    words:
                        "its gyroscope stood at the end of its range, \(GyroscopeRange.name(clipping.range)), "
                        + "for \(clipping.count) samples: faster turns are estimated, and the heading is less certain; "
                        + "set it to a wider range, and recentre"))
        }
        return found + timing.faults.map { TrackerComplaint(name: $0.name, words: $0.description) }
    }
}
