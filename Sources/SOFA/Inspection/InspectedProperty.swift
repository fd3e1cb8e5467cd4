import Synchronization

/// Loading state of a file's property, without the value.
package enum InspectionPhase: Hashable, Sendable {
    case notLoaded
    /// Loading; the share that has been read, 0…1.
    case loading(Double)
    case loaded
    case failed(SOFAError)
}

/// A property of a file, loaded on request. May be used on any thread.
package final class InspectedProperty<Value: Sendable>: Sendable {
    /// Loading state with the value.
    package enum Status: Sendable {
        case notLoaded
        /// Loading; the share that has been read, 0…1, which never decreases.
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

    /// Reads the property from an open file and appends remarks. The watch may end the reading between blocks of data.
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

    /// Present loading state.
    package var status: Status { state.withLock { $0.status } }
    /// Peculiarities and conversions, one sentence each; empty unless the property is loaded.
    package var remarks: [String] { state.withLock { $0.remarks } }

    /// Returns the value, and reads it if it is not loaded. If another task is loading it, this task waits for the
    /// result.
    ///
    /// If the task is cancelled, the call throws `cancelled` after the present block of data (8 MB, or one row of
    /// chunks). The data read so far are released, and the property is not loaded.
    ///
    /// - Throws: the property's error. Each further call throws the same error without reading again, until `unload`
    ///   clears it.
    package func load() async throws(SOFAError) -> Value {
        try await lane.perform { file in self.loaded(file) }.get()
    }

    /// Releases the value or the error, so that the next `load` reads again. A loading in progress continues.
    package func unload() {
        let isChanged = state.withLock { state in
            if case .loading = state.status { return false }
            state = (.notLoaded, [])
            return true
        }
        if isChanged { whenChanged(.notLoaded) }
    }

    /// Reads the property on the queue of `lane`.
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
