import Desk
import OSC
import Stages

/// News for a subscriber as OSC. A value is sent to the address with which it is set, so that the controls of a control
/// surface follow. `on` and `off` of a switch are sent as 1 and 0.
///
/// | address | arguments | content |
/// |---|---|---|
/// | `/proscenium/ADDRESS` | `f`..., `i` 1 or 0, or `s` | a value in force |
/// | `/proscenium/removed` | `s` address | a value that is removed |
/// | `/proscenium/revision` | `h` | ends a group of changes that belong together |
/// | `/proscenium/event` | `ss` kind, JSON | an event |
///
/// The messages of telemetry are those of `TelemetryField.messages`.
enum OSCNews {
    /// Length of datagrams that networks usually do not fragment, bytes. Only a single longer message exceeds it.
    private static let longest = 1400

    /// Returns the packets for news.
    static func packets(_ news: Subscription.News) -> [OSCPacket] {
        var messages: [OSCMessage] = []
        if let state = news.state {
            for (address, value) in state.values.sorted(by: { $0.key < $1.key }) {
                messages.append(
                    value.map { OSCMessage(ControlWire.prefix + address, arguments(of: $0, at: address)) }
                        ?? OSCMessage(ControlWire.prefix + "removed", [.string(address)]))
            }
            messages.append(OSCMessage(ControlWire.prefix + "revision", [.int64(Int64(clamping: state.revision))]))
        }
        messages += news.events.map { ControlMessages.message(for: $0) }
        for (address, fields) in TelemetryField.messages {
            let sample = address == TelemetryField.pose ? news.pose : news.meters
            guard let values = sample.flatMap({ arguments(of: fields, in: $0) }) else { continue }
            messages.append(OSCMessage(ControlWire.prefix + address, values))
        }
        return bundled(messages)
    }

    /// Returns a value in the form for control surfaces.
    private static func arguments(of value: ParameterValue, at address: String) -> [OSCArgument] {
        switch value {
        case .numbers(let numbers): floats(numbers)
        case .word("on") where StateAddress(address).isSwitch: [.int32(1)]
        case .word("off") where StateAddress(address).isSwitch: [.int32(0)]
        case .word(let word): [.string(word)]
        }
    }

    /// Returns the values of fields in a sample; nil if the sample lacks the value of a field.
    static func arguments(of fields: [TelemetryField], in sample: SessionTelemetry) -> [OSCArgument]? {
        var arguments: [OSCArgument] = []
        for field in fields {
            switch field.value(sample) {
            case nil: return nil
            case .number(let number)?: arguments.append(.float(Float(number)))
            case .count(let count)?: arguments.append(.int64(Int64(count)))
            case .truth(let truth)?: arguments.append(.boolean(truth))
            case .word(let word)?: arguments.append(.string(word))
            case .numbers(let numbers)?: arguments += floats(numbers)
            case .talkers(let talkers)?:
                arguments += floats(talkers.flatMap { [$0.azimuth, $0.elevation, $0.presence] })
            }
        }
        return arguments
    }

    private static func floats(_ numbers: [Double]) -> [OSCArgument] { numbers.map { .float(Float($0)) } }

    /// Packs messages into as few datagrams as possible. A single message is not put into a bundle.
    private static func bundled(_ messages: [OSCMessage]) -> [OSCPacket] {
        if messages.count == 1 { return [.message(messages[0])] }
        var packets: [OSCPacket] = []
        var lot: [OSCMessage] = []
        var bytes = 16
        func close() {
            guard let first = lot.first else { return }
            packets.append(lot.count == 1 ? .message(first) : .bundle(.immediately, lot.map { .message($0) }))
            (lot, bytes) = ([], 16)
        }
        for message in messages {
            let length = message.encoded().count + 4
            if bytes + length > longest { close() }
            lot.append(message)
            bytes += length
        }
        close()
        return packets
    }
}
