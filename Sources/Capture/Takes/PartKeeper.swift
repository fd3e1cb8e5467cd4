import Signal

/// Keeps the growing part of a take readable: its headers are updated ten times a second, and its files are synced to
/// the disk. Must be used by one thread at a time.
struct PartKeeper {
    /// Interval between two updates of the headers, seconds.
    private static let headerInterval = 0.1
    private let disk: DiskKeeper
    private var nextHeader = 0.0
    /// Number of the part's text files that are synced.
    private var keptTexts = 0

    /// Creates an object without a part.
    ///
    /// - Throws: an error if the system cannot start a thread.
    init() throws(WorkerError) { disk = try DiskKeeper() }

    /// Syncs the files of a part, and of no other part; nil ends the syncing.
    mutating func keep(_ part: CapturePart?) {
        disk.keep(part?.descriptorsForDisk ?? [])
        keptTexts = part?.textCount ?? 0
    }

    /// Updates the headers of a part if it is time to. `now`: time of any monotonic clock, seconds.
    mutating func look(at part: CapturePart?, now: Double) {
        guard now >= nextHeader else { return }
        part?.refreshHeaders()
        // A text file is created with its first entry.
        if part?.textCount ?? 0 != keptTexts { keep(part) }
        nextHeader = now + Self.headerInterval
    }

    /// Ends the thread, without waiting for a sync in progress.
    func end() { disk.end() }
}
