import Dispatch

/// Serial access to one file. Requests run one after another on their own queue, so that no thread of Swift's pool
/// waits for a disk.
actor InspectionLane {
    private let path: String
    private nonisolated let executor: QueueExecutor
    private var opened: Result<SOFAProperties, SOFAError>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ path: String) {
        self.path = path
        executor = QueueExecutor("sofa inspection")
    }

    /// Runs `body` with the file, which is opened on first use. If opening failed, it is tried again only after
    /// `close`.
    func perform<Value: Sendable>(
        _ body: @Sendable (() throws(SOFAError) -> SOFAProperties) -> Value
    ) -> Value {
        body { () throws(SOFAError) in
            if let opened { return try opened.get() }
            let path = path
            let result = Result { () throws(SOFAError) in try SOFAProperties(path: path) }
            opened = result
            return try result.get()
        }
    }

    /// Closes the file.
    func close() { opened = nil }
}

/// Executor of an actor that runs on a serial queue of Dispatch.
private final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { unowned.runSynchronously(on: executor) }
    }
}
