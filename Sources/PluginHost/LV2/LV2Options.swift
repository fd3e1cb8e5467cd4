import CLilv
import CPlugins
import Signal

/// LV2 options: parameters of the host that a plugin receives when it is created.
struct LV2Options {
    /// URIs of the options of this host.
    static let known: Set<String> = [
        URIs.bufSize + "minBlockLength", URIs.bufSize + "maxBlockLength", URIs.bufSize + "nominalBlockLength",
        URIs.bufSize + "sequenceSize", URIs.parameters + "sampleRate",
    ]
    /// Size of an event port that does not require more, bytes.
    static let sequenceBytes = 8192

    /// Options, terminated by an empty one.
    let list: UnsafeMutablePointer<LV2_Options_Option>

    /// Creates the options of an instance in its memory.
    init(_ setup: PluginSetup, _ memory: LV2Memory, _ map: URIDMap = .shared) {
        let (int, float) = (map(URIs.atom + "Int"), map(URIs.atom + "Float"))
        let numbers: [(String, Int)] = [
            ("minBlockLength", setup.isFixed ? setup.slice : 1), ("maxBlockLength", setup.slice),
            ("nominalBlockLength", setup.slice), ("sequenceSize", Self.sequenceBytes),
        ]
        list = memory.row(numbers.count + 2, of: LV2_Options_Option())
        for (i, (name, value)) in numbers.enumerated() {
            list[i] = Self.option(map(URIs.bufSize + name), int, memory.row(1, of: Int32(value)))
        }
        list[numbers.count] = Self.option(
            map(URIs.parameters + "sampleRate"), float, memory.row(1, of: Float(setup.sampleRate.hertz)))
    }

    private static func option<Number>(
        _ key: UInt32, _ type: UInt32, _ value: UnsafeMutablePointer<Number>
    ) -> LV2_Options_Option {
        LV2_Options_Option(
            context: LV2_OPTIONS_INSTANCE, subject: 0, key: key, size: UInt32(MemoryLayout<Number>.size), type: type,
            value: UnsafeRawPointer(value))
    }
}
