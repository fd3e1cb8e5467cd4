import Foundation
import Gate
import Loading
import PluginHost
import Synchronization

/// Saved chains in a folder. It contains `chains.json`, and for each plugin a folder with its state, named after the
/// plugin.
extension PluginRack {
    /// Saves all chains. The folder appears complete; if it cannot be written, the former folder stays.
    ///
    /// If a plugin cannot save its state, its state in the former folder is kept, and the error is thrown after all
    /// other plugins are saved. An absent plugin keeps its place behind the plugin that was before it, or is saved last
    /// if that plugin was removed. An absent plugin with the name of another plugin is saved under a new name.
    package func save(to folder: String) throws(SessionError) {
        if let failure = try write(to: folder).first { throw SessionError(failure.error) }
    }

    /// Saves all chains like `save`. Returns the plugins that could not save their states, each with its error.
    private func write(
        to folder: String
    ) throws(SessionError) -> [(insert: PluginInsert, error: PluginError)] {
        let begun: StateFolder
        do throws(StateFolder.Failure) { begun = try StateFolder(folder, isFormer: SavedChains.isFormer) } catch {
            throw SessionError(.environment, "chains cannot be saved to \(folder): \(error.reason)")
        }
        let making = URL(fileURLWithPath: begun.draft)
        do {
            var saved = SavedChains()
            saved.others = (try? SavedChains(folder: folder))?.others ?? [:]
            var failures: [(insert: PluginInsert, error: PluginError)] = []
            var names = Set<String>()
            for insert in inserts {
                names.insert(insert.name)
                let place = making.appendingPathComponent(insert.name).path
                do throws(PluginError) {
                    // Linked instances have the same state, so only one of them is saved.
                    try insert.alone { instance throws(PluginError) in try instance.save(to: place) }
                } catch {
                    failures.append((insert: insert, error: error))
                    try? FileManager.default.removeItem(atPath: place)
                    let former = folder + "/" + insert.name
                    if FileManager.default.fileExists(atPath: former) {
                        try FileManager.default.copyItem(atPath: former, toPath: place)
                    }
                }
                let states = FileManager.default.fileExists(atPath: place) ? [insert.name] : []
                var request = insert.requestNow
                request.place = insert.place.name
                // Without a state, the preset and the settings are kept as text.
                if !states.isEmpty { (request.preset, request.controls) = (nil, []) }
                saved.plugins.append(SavedChains.Plugin(request, states: states, controls: insert.controls))
            }
            let absent = state.withLock { $0.absent }
            var renamed: [String: String] = [:]
            for (request, former) in zip(absent.requests, absent.formers) {
                let said = request.name ?? request.nameFromIdentifier
                let name = Self.free(said, beside: names)
                names.insert(name)
                renamed[said] = name
                let place = making.appendingPathComponent(name).path
                // The request is useful even without its state.
                let hasState = request.state.map {
                    (try? FileManager.default.copyItem(atPath: $0, toPath: place)) != nil
                }
                var named = request
                named.name = name
                saved.insert(
                    SavedChains.Plugin(named, states: hasState == true ? [name] : []),
                    after: former.map { renamed[$0] ?? $0 })
            }
            try saved.write(to: begun.draft)
            try begun.finish()
            return failures
        } catch {
            begun.abandon()
            if let error = error as? StateFolder.Failure {
                throw SessionError(.environment, "chains cannot be saved to \(folder): \(error.reason)")
            }
            throw SessionError(.environment, "chains cannot be saved to \(folder): \(error.localizedDescription)")
        }
    }

    /// Returns a name that is not in use.
    private static func free(_ name: String, beside taken: Set<String>) -> String {
        guard taken.contains(name) else { return name }
        let base = name.prefix(28)
        return (2...999).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? name
    }

    /// Returns the present chains with all states, and with the properties that were set after the last preset, so that
    /// they can be made again after the stage has been rebuilt.
    package func memory() -> Memory {
        let absent = state.withLock { $0.absent.requests }
        guard !isEmpty || !absent.isEmpty else { return Memory(requests: []) }
        let states = TemporaryStates()
        // If the states cannot be saved, at least the controls are kept.
        guard let failures = try? write(to: states.path), let saved = try? SavedChains.requests(in: states.path) else {
            return Memory(requests: inserts.map(\.requestNow) + absent)
        }
        let present = inserts
        let requests = saved.map { request -> PluginRequest in
            // Likewise, a plugin that cannot save its state keeps at least its controls.
            let failed = failures.first { $0.insert.name == request.name }
            if let failed { return failed.insert.requestNow }
            var kept = request
            kept.keeper = states
            // A plugin may adopt a property only after its state is saved, as one that loads a file on its worker.
            if request.state != nil, let insert = present.first(where: { $0.name == request.name }) {
                kept.controls = insert.properties
            }
            return kept
        }
        return Memory(requests: requests)
    }

    /// Chains that are kept temporarily.
    package struct Memory: Sendable, Equatable {
        /// Requests of the plugins. The folder of the saved states exists as long as these requests, or inserts made
        /// from them, exist.
        package let requests: [PluginRequest]
    }

    /// Replaces all chains by those of a folder. After an error the present chains stay.
    package func load(from folder: String, period: Int) throws(SessionError) {
        try replaceAll(by: try SavedChains.requests(in: folder), period: period)
    }
}
