import AudioIO
import Geometry
import Loading
import Rendering
import Signal
import Soundstage

/// Programmes, virtual sources and ports of a session's inputs, in one order.
package struct ProgrammeAssembly {
    /// The programmes; the main one first or, if it is a sound field, last.
    package let programmes: [StageProgramme]
    /// The loudspeakers of all programmes.
    package let sources: [SourcePlacement]
    /// Position of each source in a room; nil if the source plays dry.
    package let roomPlaces: [RoomPlace?]
    /// Positions of the main layout's loudspeakers in the order of a measured room; nil for a loudspeaker that is fixed
    /// to the head or has no direction.
    package let mainPlaces: [RoomPlace?]
    /// Positions of the voices of the sound field's mix in the room: all at the sound field's front.
    package let voicePlaces: [RoomPlace]
    /// The ports of all programmes.
    package let ports: [StagePort]

    /// Builds the inputs of a session with a given main layout.
    package init(_ settings: StageSettings, layout: Layout) throws(SessionError) {
        let choices = settings.programmes
        guard layout.ambisonics == nil || choices.renditions.isPlain else {
            throw SessionError(
                .usage,
                "a sound field (\(layout.name)) has one rendition and no look-ahead: leave out "
                    + "--stereo-rendition and --hold")
        }
        guard layout.ambisonics == nil || choices.upmix.mode == nil else {
            throw SessionError(
                .usage, "a sound field (\(layout.name)) holds no stereo to upmix: leave out --upmix",
                remedy: Remedy("--upmix", nil))
        }
        guard layout.ambisonics != nil || choices.mix == nil else {
            throw SessionError(
                .usage,
                "an Audio Mix is made of a sound field; the main programme is \(layout.name): give --layout ambi1, or leave "
                    + "out --mix", remedy: Remedy("--mix", nil))
        }
        let main = try Self.main(layout, settings)
        var made = layout.ambisonics == nil ? [main] : []
        let inputs = choices.others
        for (index, input) in inputs.enumerated() {
            guard !made.contains(where: { $0.name == input.name }) else {
                throw SessionError(.usage, "two inputs are called '\(input.name)'; give each a name of its own")
            }
            made.append(try Self.programme(input, settings, isEffect: index >= choices.inputs.count))
        }
        if layout.ambisonics != nil { made.append(main) }
        let programmes = made
        var controlled: [StageProgramme] = []
        for programme in programmes {
            var controls = ProgrammeControls(programme, mode: choices.mode)
            controls.upmix.amounts = choices.upmix.amounts
            if let input = inputs.first(where: { $0.name == programme.name }) {
                try Self.apply(input.changes, to: &controls, of: programme)
                controls.dynamics = try DynamicsPlan(input.dynamics).controls
            } else {
                try Self.apply(choices.changes, to: &controls, of: programme)
            }
            let effect = choices.effects.first { $0.input.name == programme.name }
            var stage = StageProgramme(
                programme, controls: controls, sends: try effect?.sends(from: programmes, to: programme) ?? [])
            stage.voiceShell = settings.shell(at: settings.voiceDistance)
            controlled.append(stage)
        }
        self.programmes = controlled
        var (sources, rooms, ports): ([SourcePlacement], [RoomPlace?], [StagePort]) = ([], [], [])
        for (index, stage) in controlled.enumerated() {
            let programme = stage.programme
            let front = Rotation<Stage, Stage>(stage.controls.place)
            for loudspeaker in programme.layout.loudspeakers {
                let source = Self.placement(loudspeaker, settings, programme: index)
                sources.append(source)
                let isInRoom = loudspeaker.motion == .tracked && programme.role == .tracked
                rooms.append(
                    isInRoom
                        ? RoomPlace(direction: front(loudspeaker.direction), distance: loudspeaker.distance) : nil)
            }
            ports += Self.ports(of: programme)
        }
        (self.sources, roomPlaces, self.ports) = (sources, rooms, ports)
        mainPlaces = main.layout.loudspeakers.map { loudspeaker in
            loudspeaker.motion == .tracked
                ? RoomPlace(direction: loudspeaker.direction, distance: loudspeaker.distance) : nil
        }
        voicePlaces = controlled.flatMap { Self.voices(of: $0, distance: settings.voiceDistance) }
    }

    /// Applies the initial parameters of an input. Values that a measured room excludes are refused later.
    private static func apply(
        _ changes: [ParameterChange], to controls: inout ProgrammeControls, of programme: Programme
    ) throws(SessionError) {
        let input = ProgrammeRefusal(programme: programme, isMeasured: false)
        for change in changes {
            guard case .controls(let set) = change.parameter.effect else { continue }
            if let reason = change.parameter.refusal(input, change.value) {
                let said = "\(change.parameter.id) \(change.value.written.joined(separator: " "))"
                let place =
                    programme.name == "main" ? "leave out --\(said)" : "leave out \(said) of input '\(programme.name)'"
                throw SessionError(.usage, "\(reason): \(place)")
            }
            set(&controls, change.value, programme)
        }
    }

    /// Returns the positions of a mix's voices in a room; empty without a mix.
    private static func voices(of stage: StageProgramme, distance: Double?) -> [RoomPlace] {
        guard stage.programme.mix != nil else { return [] }
        let front = Rotation<Stage, Stage>(stage.controls.place)(
            Direction<Stage>(azimuthDegrees: 0, elevationDegrees: 0))
        return [RoomPlace](repeating: RoomPlace(direction: front, distance: distance), count: FieldMix.objectCount)
    }

    /// Creates the main programme: with loudspeakers in one or two renditions, as stereo upmixed to a wider layout, or
    /// as a sound field with its mix.
    private static func main(_ layout: Layout, _ settings: StageSettings) throws(SessionError) -> Programme {
        let choices = settings.programmes
        var main = Programme(
            layout: layout, hasStereoRendition: choices.renditions.hasStereo, handOver: choices.renditions.handOver,
            content: choices.content ?? .av)
        (main.mix, main.camera) = (choices.mix, choices.camera)
        guard main.isMultichannel || !main.hasStereoRendition else {
            throw SessionError(
                .usage, "--stereo-rendition needs a main programme of more than two channels, not \(layout.name)")
        }
        guard !main.isMultichannel || main.hasStereoRendition || choices.upmix.mode == nil else {
            throw SessionError(
                .usage,
                "--upmix takes stereo or mono; the main programme is \(layout.name): give --layout stereo, or "
                    + "--stereo-rendition for a second group of ports", remedy: Remedy("--upmix", nil))
        }
        guard !choices.upmix.isOff else { return main }
        if main.hasStereoRendition {
            main.upmix = choices.upmix.plan
        } else if choices.upmix.mode != nil {
            try upmix(&main, by: choices.upmix.law, settings)
        }
        return main
    }

    /// Changes a programme of one or two channels so that it is upmixed to a wider layout.
    private static func upmix(
        _ programme: inout Programme, by law: UpmixMode, _ settings: StageSettings
    ) throws(SessionError) {
        let choices = settings.programmes.upmix
        programme.isMono = programme.layout.channelCount == 1
        programme.layout = try settings.layout(named: choices.layout)
        (programme.hasMultichannelRendition, programme.hasStereoRendition) = (false, true)
        programme.upmix = UpmixPlan(mode: law, latency: choices.latency, mono: choices.mono)
    }

    /// Makes the programme of a further input or of an effect. An effect is on the stage by default, and has no
    /// look-ahead, because its sends were delayed already.
    private static func programme(
        _ input: InputSettings, _ settings: StageSettings, isEffect: Bool
    ) throws(SessionError) -> Programme {
        let layout = try settings.layout(named: input.layout)
        guard layout.ambisonics == nil else {
            throw SessionError(
                .usage, "input '\(input.name)': a sound field can only be the main programme; give it as --layout")
        }
        let (handOver, content) = (settings.programmes.renditions.handOver, settings.programmes.content)
        var programme = Programme(
            name: input.name, layout: layout, handOver: isEffect ? HandOver() : handOver, role: input.role,
            content: input.content ?? (isEffect ? nil : content) ?? .av)
        programme.isEffect = isEffect
        guard let law = input.upmix else { return programme }
        guard !programme.isMultichannel else {
            throw SessionError(
                .usage,
                "input '\(input.name)': an upmix starts from stereo or mono, not \(layout.name); leave out upmix")
        }
        try upmix(&programme, by: law, settings)
        return programme
    }

    private static func placement(
        _ loudspeaker: Loudspeaker, _ settings: StageSettings, programme: Int
    ) -> SourcePlacement {
        switch loudspeaker.motion {
        case .tracked, .fixed:
            return SourcePlacement(
                direction: loudspeaker.direction, gain: Float(loudspeaker.gain.amplitude),
                motion: loudspeaker.motion == .tracked ? .tracked : .fixed, programme: programme,
                width: loudspeaker.widthDegrees * Double.pi / 180, shell: settings.shell(at: loudspeaker.distance))
        case .direct:
            let lfe = loudspeaker.isLowFrequency ? Float(Decibels(settings.lfeGain).amplitude) : 1
            let (left, right) = loudspeaker.earGains
            return SourcePlacement(
                direction: loudspeaker.direction, gain: lfe, motion: .direct(left: left, right: right),
                programme: programme)
        }
    }

    /// Returns the ports of a programme; none for an effect. Ports of the main programme have the name of the channel.
    /// If it has two renditions, those of stereo begin with `stereo_`. In other programmes the programme's name comes
    /// first.
    private static func ports(of programme: Programme) -> [StagePort] {
        guard !programme.isEffect else { return [] }
        let isMain = programme.name == "main"
        let (mark, title) = isMain ? ("", "") : (programme.name + "_", programme.name + " ")
        let stereo = isMain ? "stereo" : programme.name
        let relay = programme.handOver.hold > 0 ? programme.name : nil
        guard programme.hasMultichannelRendition else {
            let channels = programme.isMono ? [("M", "Mono")] : [("FL", "Front Left"), ("FR", "Front Right")]
            return channels.map { StagePort(symbol: mark + $0, prettyName: title + $1, group: stereo, relay: relay) }
        }
        let channels = programme.layout.channelNames.map {
            StagePort(
                symbol: mark + $0.symbol, prettyName: title + $0.pretty,
                group: isMain ? programme.layout.name : programme.name, relay: relay)
        }
        guard programme.hasStereoRendition else { return channels }
        return channels
            + [("L", "Left"), ("R", "Right")].map { symbol, name in
                StagePort(
                    symbol: mark + "stereo_" + symbol, prettyName: title + "Stereo " + name,
                    group: (isMain ? programme.layout.name : programme.name) + " stereo",
                    relay: relay.map { $0 + "-stereo" })
            }
    }
}
