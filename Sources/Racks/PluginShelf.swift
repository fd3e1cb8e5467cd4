import Loading
import PluginHost
import Signal
import Synchronization

/// Source of a session's plugins.
package struct PluginShelf: Sendable {
    /// Backend that creates instances in this process.
    package let backend: any PluginBackend
    /// Backend that creates instances in separate processes; nil if there is none.
    package let isolated: (any PluginBackend)?
    /// Finds and describes a plugin by its identifier. This may read bundles in a child process.
    package let find: @Sendable (String) throws(PluginError) -> PluginDescription
    /// Lists all plugins. The first scan of a machine's bundles lasts seconds.
    package let all: @Sendable () throws(PluginError) -> [PluginSummary]

    /// Plugins of this machine, as shown by `plugin list`.
    package static let machine: PluginShelf = {
        let backend = LV2Backend()
        let scan = PluginScan(backend)
        return PluginShelf(
            backend: backend, isolated: IsolatedBackend(backend),
            all: { () throws(PluginError) in try scan.catalogue().plugins }
        ) { identifier throws(PluginError) in
            try scan.find(identifier)
        }
    }()

    /// Timeout for creating an instance, and for one job on it, seconds.
    package static let patience = 10.0

    /// Creates a shelf; see the properties.
    package init(
        backend: any PluginBackend, isolated: (any PluginBackend)? = nil,
        all: @escaping @Sendable () throws(PluginError) -> [PluginSummary] = { () throws(PluginError) in [] },
        find: @escaping @Sendable (String) throws(PluginError) -> PluginDescription
    ) {
        self.backend = backend
        self.isolated = isolated
        self.all = all
        self.find = find
    }

    /// Returns the plugins that can be put into a chain. The first scan of a machine's bundles lasts seconds.
    package func usable() throws(SessionError) -> [PluginSummary] {
        do throws(PluginError) { return try all().filter { $0.refusal == nil } } catch {
            throw SessionError(.environment, error.description)
        }
    }

    /// Returns the description of a plugin by its identifier. The first scan of a machine's bundles lasts seconds.
    package func describe(_ identifier: String) throws(SessionError) -> PluginDescription {
        do throws(PluginError) { return try find(identifier) } catch { throw SessionError(error) }
    }

    /// Runs a plugin's job on a separate thread and waits for its result, at most `patience`. If the job does not
    /// return, its thread stays blocked.
    ///
    /// - Throws: the job's error; `failed` if there is no thread, or no result in time.
    package static func bounded<Value: Sendable>(
        _ identifier: String, _ what: String, _ work: @escaping @Sendable () throws(PluginError) -> Value
    ) throws(PluginError) -> Value {
        let outcome = Outcome<Value>()
        let worker = Worker(name: "plugin")
        do throws(WorkerError) {
            try worker.start { _ in
                let result: Result<Value, PluginError>
                do throws(PluginError) { result = .success(try work()) } catch { result = .failure(error) }
                outcome.value.withLock { $0 = result }
            }
        } catch {
            throw .failed(identifier: identifier, reason: "\(what): \(error)")
        }
        guard worker.join(within: patience), let result = outcome.value.withLock({ $0 }) else {
            throw .failed(
                identifier: identifier,
                reason: "\(what) did not end within \(Int(patience)) s; the attempt is abandoned")
        }
        return try result.get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let value = Mutex<Result<Value, PluginError>?>(nil)
    }
}
