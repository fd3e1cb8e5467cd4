import Synchronization

/// How far a property of a file is, without its value.
package enum InspectionPhase: Hashable, Sendable {
    case notLoaded
    /// The share that is done, 0…1.
    case loading(Double)
    case loaded
    case failed(SOFAError)
}

/// A property of a file that is read when it is asked for. Any thread.
package final class InspectedProperty<Value: Sendable>: Sendable {
    /// How far it is.
    package enum Status: Sendable {
        case notLoaded
        /// The share that is done, 0…1; it never falls.
        case loading(Double)
        case loaded(Value)
        case failed(SOFAError)

        fileprivate var phase: InspectionPhase {
            switch self {
            case .notLoaded: .notLoaded
            case .loading(let share): .loading(share)
            case .loaded: .loaded
            case .failed(let error): .failed(error)
            }
        }
    }

    /// Reads it of an open file; told what to say of it and, between blocks of data, whether to go on.
    typealias Reading = @Sendable (SOFAProperties, ReadingWatch, inout [String]) throws(SOFAError) -> Value

    private let path: String
    private let lane: InspectionLane
    private let read: Reading
    private let whenChanged: @Sendable (InspectionPhase) -> Void
    private let state = Mutex<(status: Status, remarks: [String])>((.notLoaded, []))

    init(
        path: String, lane: InspectionLane, read: @escaping Reading,
        whenChanged: @escaping @Sendable (InspectionPhase) -> Void
    ) {
        (self.path, self.lane, self.read, self.whenChanged) = (path, lane, read, whenChanged)
    }

    /// How far it is, now.
    package var status: Status { state.withLock { $0.status } }
    /// What was read around or will be converted, one sentence each; none before it is loaded.
    package var remarks: [String] { state.withLock { $0.remarks } }

    /// Its value, read now where it is not loaded. A task that asks while it is being loaded for another waits for
    /// that.
    ///
    /// A cancelled task gets `cancelled` within a block of data (8 MB, or one row of chunks); what was read by then is
    /// let go, and the property is not loaded.
    ///
    /// - Throws: what is wrong with it, every time, without looking again; `unload` makes it forget.
    package func load() async throws(SOFAError) -> Value {
        try await lane.perform { file in self.loaded(file) }.get()
    }

    /// Lets the value, or the error, go: the next to ask reads it again. What is being loaded stays being loaded.
    package func unload() {
        let isChanged = state.withLock { state in
            if case .loading = state.status { return false }
            state = (.notLoaded, [])
            return true
        }
        if isChanged { whenChanged(.notLoaded) }
    }

    /// On the lane's thread.
    private func loaded(_ file: () throws(SOFAError) -> SOFAProperties) -> Result<Value, SOFAError> {
        switch status {
        case .loaded(let value): return .success(value)
        case .failed(let error): return .failure(error)
        case .notLoaded, .loading: break
        }
        guard !Task.isCancelled else { return .failure(.cancelled(path: path)) }
        set(.loading(0))
        do throws(SOFAError) {
            var (share, remarks) = (0.0, [String]())
            let watch = ReadingWatch(path: path) { reached in
                guard !Task.isCancelled else { return false }
                if reached > share {
                    share = min(1, reached)
                    self.set(.loading(share))
                }
                return true
            }
            let value = try read(file(), watch, &remarks)
            set(.loaded(value), remarks)
            return .success(value)
        } catch {
            if case .cancelled = error { set(.notLoaded) } else { set(.failed(error)) }
            return .failure(error)
        }
    }

    private func set(_ status: Status, _ remarks: [String] = []) {
        state.withLock { $0 = (status, remarks) }
        whenChanged(status.phase)
    }
}
