/// Follows a sender's count of its messages: what was lost is known exactly.
struct MessageCounter: Sendable {
    /// Messages that never came.
    private(set) var lost = 0
    /// Their share over about the last thousand messages, 0…1.
    private(set) var loss = 0.0
    /// A count has been seen.
    private(set) var isCounting = false
    private var last: UInt64?
    private var strangeness = 0.0

    /// Whether the count counts these readings: a sender that counts other things too leaves gaps everywhere.
    var isTrusted: Bool { strangeness < 0.3 }

    /// Messages sent since the newest: 1 for the next one, 0 or less for one that was overtaken; `nil` where that is
    /// unknown (the first one, no count, or a count that began anew).
    mutating func steps(to sequence: SenderSequence?) -> Int? {
        guard let sequence else { return nil }
        isCounting = true
        guard let previous = last else {
            last = sequence.number
            return nil
        }
        let steps: Int
        if let modulus = sequence.modulus, modulus > 1, previous < modulus, sequence.number < modulus {
            let ahead = sequence.number >= previous ? sequence.number - previous : modulus - previous + sequence.number
            // Half a circle ahead is a loss, half a circle back an overtaking.
            steps = ahead <= modulus / 2 ? Int(clamping: ahead) : -Int(clamping: modulus - ahead)
        } else {
            steps =
                sequence.number >= previous
                ? Int(clamping: sequence.number - previous) : -Int(clamping: previous - sequence.number)
        }
        // So far off that the sender began anew.
        guard (-64...1000).contains(steps) else {
            last = sequence.number
            return nil
        }
        strangeness += ((steps > 1 ? 1 : 0) - strangeness) / 64
        if steps > 0 {
            last = sequence.number
            lost += steps - 1
            for _ in 0..<steps { loss += -loss / 1024 }
            loss = min(1, loss + Double(steps - 1) / 1024)
        } else if steps < 0 {
            // It was taken for lost, and comes after all.
            lost = max(0, lost - 1)
            loss = max(0, loss - 1.0 / 1024)
        }
        return steps
    }
}
