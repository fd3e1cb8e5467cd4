import CLilv
import CPlugins
import Signal

/// Buffers to which the ports of one instance are connected.
struct LV2Wiring {
    /// Controls in order, and their indices by symbol.
    let controlList: [PluginControl]
    let controlIndices: [String: Int]
    /// Index of the control that follows the transport's tempo; nil if there is none.
    let tempoControl: Int?
    let controls: LV2Controls
    /// Symbols of the control outputs, in order.
    let readingSymbols: [String]
    let readings: LV2Readings
    let latencyReading: Int
    let freeWheeling: UnsafeMutablePointer<Float>
    let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let eventInputs: [LV2EventInput]
    let eventOutputs: [LV2EventOutput]
    /// Index of the event input for messages about properties, and of the one for MIDI; nil if there is none.
    let patchInput: Int?
    let midiInput: Int?

    /// Allocates memory for all ports of a plugin, for blocks of up to `slice` frames, and connects each port by a call
    /// of `connect`.
    init(
        _ ports: [LV2Port], slice: Int, _ memory: LV2Memory, connect: (UInt32, UnsafeMutableRawPointer?) -> Void
    ) {
        // A block has 64 samples more, because SIMD code reads whole registers, and some plugins write slightly past
        // the end of a short block.
        func block() -> UnsafeMutablePointer<Float> { memory.row(slice + 64, of: Float(0)) }
        let audioInputs = ports.filter { $0.role == .audioIn }
        let audioOutputs = ports.filter { $0.role == .audioOut }
        inputs = memory.row(audioInputs.count, of: block())
        outputs = memory.row(audioOutputs.count, of: block())
        for i in audioInputs.indices { inputs[i] = block() }
        for i in audioOutputs.indices { outputs[i] = block() }

        var settable: [(port: LV2Port, control: PluginControl)] = []
        var shown: [LV2Port] = []
        var (takers, givers): ([(port: LV2Port, input: LV2EventInput)], [LV2EventOutput]) = ([], [])
        freeWheeling = memory.row(1, of: 0)
        for port in ports {
            let index = UInt32(port.index)
            switch port.role {
            case .audioIn, .audioOut: break
            case .silent: connect(index, block())
            case .unconnected: connect(index, nil)
            case .control where port.designation == .freeWheeling: connect(index, freeWheeling)
            case .control(let control): settable.append((port, control))
            case .reading: shown.append(port)
            case .eventsIn(let kinds, let bytes):
                let room = max(LV2Options.sequenceBytes, (bytes + 7) & ~7)
                let input = LV2EventInput(memory.bytes(room), capacity: room, kinds: kinds)
                takers.append((port, input))
                connect(index, input.memory)
            case .eventsOut(_, let bytes):
                let room = max(LV2Options.sequenceBytes, (bytes + 7) & ~7)
                let output = LV2EventOutput(memory: memory.bytes(room), capacity: room)
                givers.append(output)
                connect(index, output.memory)
            }
        }
        for (i, port) in audioInputs.enumerated() { connect(UInt32(port.index), inputs[i]) }
        for (i, port) in audioOutputs.enumerated() { connect(UInt32(port.index), outputs[i]) }

        controlList = settable.map(\.control)
        controlIndices = Dictionary(uniqueKeysWithValues: settable.enumerated().map { ($1.control.symbol, $0) })
        tempoControl = settable.firstIndex { $0.port.designation == .beatsPerMinute }
        controls = LV2Controls(controlList, memory)
        for (i, one) in settable.enumerated() { connect(UInt32(one.port.index), controls.values + i) }
        readingSymbols = shown.map(\.symbol)
        readings = LV2Readings(shown.count, memory)
        latencyReading = shown.firstIndex { $0.designation == .latency } ?? -1
        for (i, port) in shown.enumerated() { connect(UInt32(port.index), readings.values + i) }
        eventInputs = takers.map(\.input)
        eventOutputs = givers
        patchInput =
            takers.firstIndex { $0.port.designation == .control && $0.input.kinds.contains(.patch) }
            ?? takers.firstIndex { $0.input.kinds.contains(.patch) }
        midiInput = takers.firstIndex { $0.input.kinds.contains(.midiIn) }
    }
}
