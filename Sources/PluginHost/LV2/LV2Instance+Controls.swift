import CLilv
import CPlugins
import Gate
import Signal
import Synchronization

extension LV2Instance {
    /// Seconds over which a preset or a state moves the controls of an instance that processes sound.
    static let presetSeconds = 0.02

    package func controls() -> [String: Float] {
        Dictionary(uniqueKeysWithValues: zip(parts.wiring.controlList.map(\.symbol), asked.withLock(\.self)))
    }

    package func readings() -> [String: Float] {
        Dictionary(
            uniqueKeysWithValues: parts.wiring.readingSymbols.enumerated().map { ($1, parts.wiring.readings[$0]) })
    }

    package func set(_ symbol: String, to value: Float, within seconds: Double) throws(PluginError) {
        guard let index = parts.wiring.controlIndices[symbol] else {
            throw .noControl(
                identifier: plugin.identifier, symbol: symbol, known: parts.wiring.controlList.map(\.symbol))
        }
        let control = parts.wiring.controlList[index]
        guard control.takes(value) else {
            throw .badValue(
                identifier: plugin.identifier, symbol: symbol, value: "\(value)", takes: control.whatItTakes)
        }
        ask([(index, value)], within: seconds)
    }

    /// Requests several values, which take effect together. Each must be within the range of its control.
    func ask(_ wanted: [(index: Int, value: Float)], within seconds: Double) {
        let frames = Int(clamping: seconds * parts.setup.sampleRate.hertz, .towardZero, to: 0...1_000_000)
        asked.withLock { asked in
            for (index, value) in wanted {
                asked[index] =
                    parts.wiring.controlList[index].kind == .trigger ? parts.wiring.controlList[index].initial : value
            }
        }
        parts.wiring.controls.ask(
            wanted.map { index, value in
                (index, value, parts.wiring.controlList[index].kind == .continuous ? frames : 0)
            })
    }

    package func transport(_ position: TransportPosition) {
        transports += 1
        transport.store(LV2Transport(number: transports, position: position))
        guard let beats = position.beatsPerMinute, let tempo = parts.wiring.tempoControl else { return }
        let range = parts.wiring.controlList[tempo].range
        ask([(tempo, max(range.lowerBound, min(range.upperBound, Float(beats))))], within: 0)
    }
}
