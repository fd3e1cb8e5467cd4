/// Something wrong with what a tracker sends that its user can mend.
package struct TrackerComplaint: Hashable, Sendable {
    /// One word for programs: the name of a `StampFault`, or `secondSender`.
    package let name: String
    /// What is wrong, what is done about it, and what to do; one line.
    package let words: String

    /// A complaint.
    package init(name: String, words: String) {
        self.name = name
        self.words = words
    }
}

extension TrackerHealth {
    /// What is wrong now, most harmful first; empty where nothing is known to be.
    package var complaints: [TrackerComplaint] {
        var found: [TrackerComplaint] = []
        // A sender that has not sent for five seconds has gone.
        if let otherSender, let sender, otherArrival > (lastArrival ?? 0) - 5 {
            found.append(
                TrackerComplaint(
                    name: "secondSender",
                    words: "a second sender, \(otherSender), is ignored (\(ignored) datagrams) while \(sender) speaks: "
                        + "give each tracker a port of its own"))
        }
        return found + timing.faults.map { TrackerComplaint(name: $0.name, words: $0.description) }
    }
}
