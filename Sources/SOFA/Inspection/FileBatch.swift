/// Work on thousands of files: some at a time, delivered in their order.
package enum FileBatch {
    /// Does `work` on every path, `width` of them at a time, and delivers what comes of it in the paths' order, on the
    /// caller's task. No more than twice `width` results wait for their turn, whatever their number.
    ///
    /// `deliver` answers whether to go on; where it does not, or the task is cancelled, what is being worked on is
    /// cancelled and waited for, and the rest is not begun. Returns whether everything was delivered.
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
