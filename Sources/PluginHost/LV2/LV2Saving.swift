import CLilv
import CPlugins

/// Counts the bytes that a plugin stores when its state is saved, and refuses data above a limit.
///
/// lilv reads a state through the functions of an instance. While lilv does so, this class replaces the plugin: it
/// forwards the call to the plugin and counts the stored bytes.
final class LV2Saving {
    private let plugin: UnsafePointer<LV2_State_Interface>
    private let instance: LV2_Handle
    private let limit: Int
    /// lilv's function and handle, set during the call.
    private var store: LV2_State_Store_Function?
    private var storeHandle: LV2_State_Handle?
    private(set) var bytes = 0
    /// Whether bytes were refused.
    private(set) var isTooLarge = false
    /// Result of the plugin's call. Refused data, and the report that there are no data, count as success.
    private(set) var status = LV2_STATE_SUCCESS

    /// Creates a counter for a state of up to `limit` bytes.
    init(_ plugin: UnsafePointer<LV2_State_Interface>, _ instance: LV2_Handle, limit: Int) {
        self.plugin = plugin
        self.instance = instance
        self.limit = limit
    }

    /// Calls `body` with a copy of the instance whose state functions are those of this class.
    func standIn<Result>(
        for real: UnsafePointer<LV2_Descriptor>, _ body: (UnsafeMutablePointer<LilvInstance>) -> Result
    ) -> Result {
        var descriptor = real.pointee
        descriptor.extension_data = { _ in UnsafeRawPointer(LV2Saving.interface) }
        return withUnsafePointer(to: descriptor) { descriptor in
            var instance = LilvInstance(
                lv2_descriptor: descriptor, lv2_handle: Unmanaged.passUnretained(self).toOpaque(), pimpl: nil)
            return withUnsafeMutablePointer(to: &instance) { body($0) }
        }
    }

    /// State functions that lilv receives; created once and never freed.
    private nonisolated(unsafe) static let interface: UnsafeMutablePointer<LV2_State_Interface> = {
        let place = UnsafeMutablePointer<LV2_State_Interface>.allocate(capacity: 1)
        place.initialize(
            to: LV2_State_Interface(
                save: { handle, store, storeHandle, flags, features in
                    guard let handle else { return LV2_STATE_ERR_UNKNOWN }
                    return Unmanaged<LV2Saving>.fromOpaque(handle).takeUnretainedValue()
                        .save(store, storeHandle, flags, features)
                }, restore: nil))
        return place
    }()

    private func save(
        _ store: LV2_State_Store_Function?, _ storeHandle: LV2_State_Handle?, _ flags: UInt32,
        _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
    ) -> LV2_State_Status {
        (self.store, self.storeHandle) = (store, storeHandle)
        defer { (self.store, self.storeHandle) = (nil, nil) }
        status = plugin.pointee.save(
            instance,
            { handle, key, value, size, type, flags in
                guard let handle else { return LV2_STATE_ERR_UNKNOWN }
                return Unmanaged<LV2Saving>.fromOpaque(handle).takeUnretainedValue()
                    .take(key, value, size, type, flags)
            }, Unmanaged.passUnretained(self).toOpaque(), flags, features)
        // A plugin that has no data to store may report "no property", and `isTooLarge` reports a refusal. lilv would
        // print both to the terminal.
        if isTooLarge || status == LV2_STATE_ERR_NO_PROPERTY { status = LV2_STATE_SUCCESS }
        return status
    }

    private func take(
        _ key: UInt32, _ value: UnsafeRawPointer?, _ size: Int, _ type: UInt32, _ flags: UInt32
    ) -> LV2_State_Status {
        guard let store, size <= limit - bytes else {
            isTooLarge = true
            return LV2_STATE_ERR_NO_SPACE
        }
        bytes += size
        return store(storeHandle, key, value, size, type, flags)
    }
}
