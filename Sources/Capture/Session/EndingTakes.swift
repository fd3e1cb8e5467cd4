/// Takes that have ended, until their files are complete: that waits for the disk, and what is captured does not.
/// One thread.
struct EndingTakes {
    /// Takes that may wait for the disk at once: each has its files open, and a thread.
    static let most = 8

    /// A take that is complete, or cannot be, and what came of it.
    struct Ended {
        var number: Int
        var incidents: [CaptureIncident]
    }

    private var takes: [(number: Int, take: CaptureTake)] = []
    private var count = 0

    /// Whether no more may wait.
    var isFull: Bool { takes.count >= Self.most }

    /// Ends a take; the number by which it is told.
    mutating func end(_ take: CaptureTake) -> Int {
        take.end()
        count += 1
        takes.append((count, take))
        return count
    }

    /// Takes that have been completed since this was last asked.
    mutating func ended() -> [Ended] {
        var ended: [Ended] = []
        takes.removeAll { number, take in
            guard take.isComplete else { return false }
            ended.append(Ended(number: number, incidents: take.incidents()))
            return true
        }
        return ended
    }

    /// Waits for all, so many seconds together; what came of them. None is waited for afterwards.
    mutating func wait(_ seconds: Double) -> [Ended] {
        let end = ContinuousClock.now + .seconds(seconds)
        defer { takes = [] }
        return takes.map { number, take in
            let left = (end - .now) / .seconds(1)
            return Ended(number: number, incidents: take.finish(within: max(0, left)))
        }
    }
}
