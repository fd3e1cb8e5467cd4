import Loading
import Signal
import Soundstage

/// The sink to which programs play: the sink's name, and PipeWire's name of each channel.
package struct DesktopSink: Hashable, Sendable {
    /// Beginning of the names of these sinks, which distinguishes them from others.
    package static let prefix = "proscenium."

    /// Name of the session's input that receives the sink's sound; `main` for the input of `--layout`.
    package let input: String
    /// Name of the layout, such as `7.1`.
    package let layout: String
    /// `[channel]`: PipeWire's position, such as `RL`, and the name of the session's input port, such as `in_BL`.
    package let channels: [(position: String, input: String)]

    /// Creates the sink of a layout.
    ///
    /// - Throws: `SessionError` for an unknown layout, and for a sound field, a layout file and mono: programs do not
    ///   play to such sinks.
    package init(layout name: String) throws(SessionError) {
        let layout: Layout
        do throws(SoundstageError) { layout = try Layout.named(name) } catch {
            throw SessionError(.usage, "'\(name)' is not a layout of a sink; the layouts are \(Self.names)")
        }
        guard layout.ambisonics == nil, layout.name != "mono" else {
            throw SessionError(.usage, "a sink cannot have the layout '\(name)'; the layouts are \(Self.names)")
        }
        (input, self.layout) = ("main", layout.name)
        let channels = layout.loudspeakers.compactMap { Channel(rawValue: $0.symbol) }
        let hasBacks = channels.contains(.backLeft)
        self.channels = channels.map { (Self.position(of: $0, hasBacks: hasBacks), "in_\($0.rawValue)") }
    }

    /// Creates the sink of a further input, which is stereo.
    ///
    /// - Throws: an error for a text that cannot name a further input.
    package init(input name: String) throws(SessionError) {
        let isName = name.utf8.allSatisfy { $0 < 128 } && name.allSatisfy { $0.isLetter || $0.isNumber }
        guard isName, (1...16).contains(name.utf8.count), name != "main" else {
            throw SessionError(.input, "'\(name)' cannot be the name of a further input of the desktop's session")
        }
        (input, layout) = (name, "stereo")
        channels = ["FL", "FR"].map { ($0, "in_\(name)_\($0)") }
    }

    private static var names: String { Layout.names.filter { $0 != "mono" }.joined(separator: ", ") }

    /// PipeWire's name of the sink, such as `proscenium.7.1`, or `proscenium.input.past` for a further input.
    package var name: String { Self.prefix + (input == "main" ? layout : "input.\(input)") }

    /// Name for people, such as `Proscenium 7.1` or `Proscenium past`.
    package var description: String { "Proscenium \(input == "main" ? layout : input)" }

    /// Properties of the null sink, as `pw-cli create-node` reads them.
    ///
    /// The sink's volume also applies to its monitor ports, so that the desktop's volume keys work. The sink is not
    /// suspended, and no session manager prefers it to a sound card.
    package var properties: String {
        let places = channels.map(\.position).joined(separator: " ")
        return "{ factory.name=support.null-audio-sink node.name=\"\(name)\" node.description=\"\(description)\" "
            + "media.class=Audio/Sink audio.position=[ \(places) ] monitor.channel-volumes=true monitor.passthrough=true "
            + "node.virtual=true session.suspend-timeout-seconds=0 object.linger=false }"
    }

    /// Returns PipeWire's position of a channel. In a layout without back channels, the side channels get PipeWire's
    /// rear positions, as in PulseAudio's 5.1. PipeWire also maps side channels of a programme to these.
    private static func position(of channel: Channel, hasBacks: Bool) -> String {
        switch channel {
        case .monoFront: "MONO"
        case .backLeft: "RL"
        case .backRight: "RR"
        case .backCentre: "RC"
        case .sideLeft: hasBacks ? "SL" : "RL"
        case .sideRight: hasBacks ? "SR" : "RR"
        case .wideLeft: "FLW"
        case .wideRight: "FRW"
        case .topBackLeft: "TRL"
        case .topBackRight: "TRR"
        default: channel.rawValue
        }
    }

    package static func == (one: Self, other: Self) -> Bool { one.name == other.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
