/// Function that is called with the share of a file that has been read, 0…1, which never decreases. If it returns
/// false, the reading ends. It is called on the reading thread, between blocks of data (8 MB, a row of chunks, or a
/// room's measurement).
package typealias ReadingProgress = (Double) -> Bool

/// Progress of a reading, or of a part of it, for the caller.
struct ReadingWatch {
    private let path: String
    private let tell: ReadingProgress
    private let (start, end): (Double, Double)

    /// Creates the watch for the whole reading of `path`.
    init(path: String, _ tell: @escaping ReadingProgress = { _ in true }) {
        self.init(path: path, tell: tell, start: 0, end: 1)
    }

    private init(path: String, tell: @escaping ReadingProgress, start: Double, end: Double) {
        (self.path, self.tell, self.start, self.end) = (path, tell, start, end)
    }

    /// Returns the watch for a part of this reading, from one share to another.
    func part(_ from: Double, _ to: Double) -> ReadingWatch {
        ReadingWatch(path: path, tell: tell, start: start + (end - start) * from, end: start + (end - start) * to)
    }

    /// Reports the share of this part that is done, 0…1.
    ///
    /// - Throws: `cancelled` if the caller's function returned false.
    func reached(_ share: Double) throws(SOFAError) {
        guard tell(start + (end - start) * share) else { throw .cancelled(path: path) }
    }
}
