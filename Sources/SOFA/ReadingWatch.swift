/// Told the share of a file that is read, 0…1, never less than before; answers whether to go on. Called on the thread
/// that reads, between blocks of data (8 MB, or one row of chunks).
package typealias ReadingProgress = (Double) -> Bool

/// A reading's progress, or that of one of its parts, told to the caller.
struct ReadingWatch {
    private let path: String
    private let tell: ReadingProgress
    private let (start, end): (Double, Double)

    /// The whole of reading `path`.
    init(path: String, _ tell: @escaping ReadingProgress = { _ in true }) {
        self.init(path: path, tell: tell, start: 0, end: 1)
    }

    private init(path: String, tell: @escaping ReadingProgress, start: Double, end: Double) {
        (self.path, self.tell, self.start, self.end) = (path, tell, start, end)
    }

    /// A part of it, from one share of the whole to another.
    func part(_ from: Double, _ to: Double) -> ReadingWatch {
        ReadingWatch(path: path, tell: tell, start: start + (end - start) * from, end: start + (end - start) * to)
    }

    /// Tells how much of this part is done, 0…1.
    ///
    /// - Throws: `cancelled` where the rest is not wanted.
    func reached(_ share: Double) throws(SOFAError) {
        guard tell(start + (end - start) * share) else { throw .cancelled(path: path) }
    }
}
