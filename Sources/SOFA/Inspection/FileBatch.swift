/// Concurrent work on thousands of files, with results in the order of the files.
package enum FileBatch {
    /// Runs `work` on every path, `width` at a time, and calls `deliver` with the results in the order of the paths, on
    /// the caller's task. At most twice `width` results are kept, for any number of paths.
    ///
    /// If `deliver` returns false, or the task is cancelled, the running work is cancelled and awaited, and no further
    /// work is started. Returns whether all results were delivered.
    @discardableResult
    package static func run<Value: Sendable>(
        _ paths: [String], width: Int, _ work: @escaping @Sendable (_ index: Int, _ path: String) async -> Value,
        deliver: (_ index: Int, _ value: Value) throws -> Bool
    ) async rethrows -> Bool {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            var (begun, delivered) = (0, 0)
            var waiting: [Int: Value] = [:]
            defer { group.cancelAll() }
            while delivered < paths.count {
                while begun < paths.count, begun - delivered - waiting.count < width, begun - delivered < 2 * width {
                    let index = begun
                    group.addTask { (index, await work(index, paths[index])) }
                    begun += 1
                }
                guard let (index, value) = try await group.next() else { return false }
                waiting[index] = value
                while let next = waiting.removeValue(forKey: delivered) {
                    guard !Task.isCancelled, try deliver(delivered, next) else { return false }
                    delivered += 1
                }
            }
            return true
        }
    }
}
