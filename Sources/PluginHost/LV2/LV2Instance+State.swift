import CLilv
import CPlugins
import Foundation
import Gate
import Synchronization

extension LV2Instance {
    /// Greatest size of a state, bytes. It limits the data that the plugin stores, and also the total of the state's
    /// files.
    package static let stateLimit = 256 << 20
    /// Name of the state's file in its folder.
    private static let stateFile = "state.ttl"

    package func save(to folder: String) throws(PluginError) { try save(to: folder, limit: Self.stateLimit) }

    /// Saves like `save(to:)`, with another limit in bytes. The folder of an earlier state is replaced in one step.
    func save(to folder: String, limit: Int) throws(PluginError) {
        do throws(StateFolder.Failure) {
            let target = try StateFolder(folder)
            do throws(StateFolder.Failure) {
                try write(to: target, limit: limit)
                try target.finish()
            } catch {
                target.abandon()
                throw error
            }
        } catch { throw .state(identifier: plugin.identifier, folder: folder, reason: error.reason) }
    }

    private func write(to target: StateFolder, limit: Int) throws(StateFolder.Failure) {
        try writeState(to: target.draft, limit: limit)
        try target.gather(limit: limit)
        do {
            let properties = properties().merging(given) { told, _ in told }
            try SavedControls(identifier: plugin.identifier, controls: controls(), properties: properties)
                .write(to: target.draft)
        } catch { throw .init("cannot write \(SavedControls.file): \(error.localizedDescription)") }
    }

    private func writeState(to folder: String, limit: Int) throws(StateFolder.Failure) {
        let saving = lilv_instance_get_extension_data(parts.lilvInstance, URIs.state + "interface").map {
            LV2Saving(
                $0.assumingMemoryBound(to: LV2_State_Interface.self), parts.lilvInstance.pointee.lv2_handle,
                limit: limit)
        }
        let isWritten = parts.world.use { reader in
            guard let state = lilvState(saving, folder: folder) else { return false }
            defer { lilv_state_free(state) }
            var (map, unmap) = (URIDMap.shared.mapping, URIDMap.shared.unmapping)
            return saving?.isTooLarge != true
                && lilv_state_save(reader.world, &map, &unmap, state, nil, folder, Self.stateFile) == 0
        }
        if saving?.isTooLarge == true { throw StateFolder.tooLarge(limit) }
        if let saving, saving.status != LV2_STATE_SUCCESS {
            throw .init("the plugin could not save its state (LV2_State_Status \(saving.status.rawValue))")
        }
        if !isWritten { throw .init("it cannot be written to \(folder)") }
    }

    /// Returns lilv's copy of the instance's present state; nil if lilv creates none.
    private func lilvState(_ saving: LV2Saving?, folder: String) -> OpaquePointer? {
        var map = URIDMap.shared.mapping
        let ports = LV2PortValues(symbols: parts.wiring.controlIndices, values: asked.withLock(\.self))
        let handle = Unmanaged.passUnretained(ports).toOpaque()
        func state(_ instance: UnsafeMutablePointer<LilvInstance>) -> OpaquePointer? {
            lilv_state_new_from_instance(
                parts.lilvPlugin, instance, &map, parts.scratch.path, folder, folder, folder, LV2PortValues.get, handle,
                LV2_STATE_IS_POD.rawValue | LV2_STATE_IS_PORTABLE.rawValue, nil)
        }
        return withExtendedLifetime(ports) {
            guard let saving else { return state(parts.lilvInstance) }
            return saving.standIn(for: parts.lilvInstance.pointee.lv2_descriptor) { state($0) }
        }
    }

    package func restore(from folder: String) throws(PluginError) {
        let saved = try? SavedControls.read(from: folder)
        if let saved, saved.identifier != plugin.identifier {
            throw .state(
                identifier: plugin.identifier, folder: folder, reason: "it is a state of \(saved.identifier)")
        }
        let file = folder + "/" + Self.stateFile
        let isSound = TurtleFile.fault(of: file) == nil
        let state = isSound ? parts.world.use { reader in load(file, reader) } : nil
        if let state {
            defer { lilv_state_free(state) }
            try apply(state, from: folder, exactly: saved?.controls ?? [:])
        } else if let saved {
            // Without a readable state, the saved controls and properties are restored.
            try restore(saved)
        } else {
            throw .state(
                identifier: plugin.identifier, folder: folder,
                reason: "neither \(Self.stateFile) nor \(SavedControls.file) can be read")
        }
    }

    private func load(_ file: String, _ reader: LV2World.Reader) -> OpaquePointer? {
        var map = URIDMap.shared.mapping
        guard let state = lilv_state_new_from_file(reader.world, &map, nil, file) else { return nil }
        guard LV2World.Reader.text(lilv_state_get_plugin_uri(state)) == plugin.identifier else {
            lilv_state_free(state)
            return nil
        }
        return state
    }

    private func restore(_ saved: SavedControls) throws(PluginError) {
        let wanted = saved.controls.compactMap { symbol, value in request(symbol, value) }
        ask(wanted, within: hasRun ? Self.presetSeconds : 0)
        for (property, value) in saved.properties.sorted(by: { $0.key < $1.key })
        where plugin.properties.contains(where: { $0.identifier == property && $0.isWritable }) {
            try set(property: property, to: value)
        }
    }

    /// Returns a saved value as a request, clamped to the control's range; nil if the control does not exist or does
    /// not accept the value.
    func request(_ symbol: String, _ value: Float) -> (index: Int, value: Float)? {
        guard let index = parts.wiring.controlIndices[symbol], value.isFinite else { return nil }
        let range = parts.wiring.controlList[index].range
        let nearest = max(range.lowerBound, min(range.upperBound, value))
        return parts.wiring.controlList[index].takes(nearest) ? (index, nearest) : nil
    }
}
