/// Follows a sender's count of its messages, and gives the exact number of lost messages.
struct MessageCounter: Sendable {
    /// Number of lost messages.
    private(set) var lost = 0
    /// Share of lost messages over about the last thousand, 0…1.
    private(set) var loss = 0.0
    /// Whether a count has been received.
    private(set) var isCounting = false
    /// Whether the last message restarted the count.
    private(set) var wasRestarted = false
    private var last: UInt64?
    private var strangeness = 0.0

    /// Whether fewer than 30 % of the recent messages follow a gap. More gaps mean that the sender also counts other
    /// messages.
    var isTrusted: Bool { strangeness < 0.3 }

    /// Returns the number of messages since the newest one: 1 for the next message, 0 for a repeated one, less for an
    /// overtaken one. Nil if unknown: the first message, no count, or a count that restarted.
    mutating func steps(to sequence: SenderSequence?) -> Int? {
        wasRestarted = false
        guard let sequence else { return nil }
        isCounting = true
        guard let previous = last else {
            last = sequence.number
            return nil
        }
        let steps: Int
        if let modulus = sequence.modulus, modulus > 1, previous < modulus, sequence.number < modulus {
            let ahead = sequence.number >= previous ? sequence.number - previous : modulus - previous + sequence.number
            // A step of up to half the modulus ahead is a loss; a larger step is an overtaken message.
            steps = ahead <= modulus / 2 ? Int(clamping: ahead) : -Int(clamping: modulus - ahead)
        } else {
            steps =
                sequence.number >= previous
                ? Int(clamping: sequence.number - previous) : -Int(clamping: previous - sequence.number)
        }
        // A step outside this range is a restart of the sender.
        guard (-64...1000).contains(steps) else {
            last = sequence.number
            wasRestarted = true
            return nil
        }
        strangeness += ((steps > 1 ? 1 : 0) - strangeness) / 64
        if steps > 0 {
            last = sequence.number
            lost += steps - 1
            for _ in 0..<steps { loss += -loss / 1024 }
            loss = min(1, loss + Double(steps - 1) / 1024)
        } else if steps < 0 {
            // A message that was counted as lost arrived late.
            lost = max(0, lost - 1)
            loss = max(0, loss - 1.0 / 1024)
        }
        return steps
    }
}
