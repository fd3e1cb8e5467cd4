import CLilv
import CPlugins

/// The parts of one running plugin. `LV2Instance` owns them and frees `lilvInstance`.
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
