import CLilv
import CPlugins

/// Everything that one running plugin consists of. `LV2Instance` owns the parts and frees `lilvInstance`.
struct LV2Parts {
    let plugin: PluginDescription
    let setup: PluginSetup
    let world: LV2World
    let lilvPlugin: OpaquePointer
    let lilvInstance: UnsafeMutablePointer<LilvInstance>
    let memory: LV2Memory
    let wiring: LV2Wiring
    let worker: LV2Worker
    let log: PluginLog
    let scratch: LV2ScratchFolder
    let presets: LV2PresetIndex
}
