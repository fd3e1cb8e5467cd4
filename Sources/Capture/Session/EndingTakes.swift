/// Ended takes whose files are not complete yet. Completion waits for the disk while the capture continues. Must be
/// used by one thread at a time.
struct EndingTakes {
    /// Greatest number of takes that wait for the disk. Each take keeps its files open, and by default uses one thread
    /// for each part that is not complete.
    static let most = 8

    /// A take whose completion has succeeded, failed or timed out, and its incidents.
    struct Ended {
        var number: Int
        var incidents: [CaptureIncident]
    }

    private var takes: [(number: Int, take: CaptureTake)] = []
    private var count = 0

    /// Whether the limit of waiting takes is reached.
    var isFull: Bool { takes.count >= Self.most }

    /// Ends a take. Returns its number, counted from 1.
    mutating func end(_ take: CaptureTake) -> Int {
        take.end()
        count += 1
        takes.append((count, take))
        return count
    }

    /// Returns the takes whose completion has succeeded or failed since the last call.
    mutating func ended() -> [Ended] {
        var ended: [Ended] = []
        takes.removeAll { number, take in
            guard take.isComplete else { return false }
            ended.append(Ended(number: number, incidents: take.incidents()))
            return true
        }
        return ended
    }

    /// Waits for all takes, up to `seconds` in total, and removes them. Returns their incidents.
    mutating func wait(_ seconds: Double) -> [Ended] {
        let end = ContinuousClock.now + .seconds(seconds)
        defer { takes = [] }
        return takes.map { number, take in
            let left = (end - .now) / .seconds(1)
            return Ended(number: number, incidents: take.finish(within: max(0, left)))
        }
    }
}
