import Geometry
import Loading
import Signal
import Soundstage

/// Parameters that each input has.
extension Parameter {
    /// Level, place, spatial mode and rendition of an input.
    package static let inputs: [Parameter] = [
        Parameter(
            "level", .input, [Number(unit: "dB", range: -120...40)], words: ["off"], standard: "0",
            "level of the input",
            traits: [.reachesEffects],
            effect: .controls { controls, value, _ in
                controls.level = value == .word("off") ? 0 : Float(Decibels(value.number).amplitude)
            }, reads: .controls { $0.level > 0 ? .decibels(ofAmplitude: $0.level) : .word("off") }),
        Parameter(
            "mute", .input, words: ["on", "off", "toggle"], standard: "off",
            "silences the input within 50 ms; its level stays as it is",
            effect: .controls { controls, value, _ in
                controls.isMuted = value == .word("toggle") ? !controls.isMuted : value == .word("on")
            }, reads: .controls { .isOn($0.isMuted) }),
        Parameter(
            "place", .input, subsection: .placing,
            [
                Number(name: "yaw", unit: "degrees", range: -360...360),
                Number(name: "pitch", unit: "degrees", range: -360...360, omitted: 0),
                Number(name: "roll", unit: "degrees", range: -360...360, omitted: 0),
            ],
            "direction of the input's front on the stage: yaw is positive to the left, pitch up, roll right side down; default: from its metadata, else 0",
            effect: .controls { controls, value, _ in
                guard case .numbers(let degrees) = value else { return }
                let angles = degrees.map { $0 * Double.pi / 180 }
                controls.place = Rotation<Stage, Stage>(yaw: angles[0], pitch: angles[1], roll: angles[2]).quaternion
            },
            reads: .controls { controls in
                let place = controls.place
                return .numbers([place.yaw, place.pitch, place.roll].map(ParameterValue.degrees))
            }),
        Parameter(
            "source-width", .input, subsection: .placing, [Number(unit: "degrees", range: 0...180)], former: ["width"],
            "total angle over which each source of the input, or each voice of its mix, is spread; default: from its metadata, else 0",
            effect: .controls { controls, value, _ in controls.width = value.number * Double.pi / 180 },
            reads: .controls { .number(ParameterValue.degrees($0.width)) },
            refusal: { input, value in
                guard value.number > 0 else { return nil }
                if let field = input.field, input.programme.mix == nil { return StageRefusal.noWidth(of: field) }
                return input.isMeasured ? StageRefusal.noWidthInRoom(input.programme.name) : nil
            }),
        Parameter(
            "mode", .input, subsection: .placing, words: StageMode.allCases.map(\.word), standard: "tracked",
            "rendering of the input: off (two channels, no stage), fixed (the stage turns with the head) or tracked (the stage stands still)",
            effect: .controls { controls, value, programme in
                if let mode = StageMode(word: value.word) { controls.mode = programme.role.mode(in: mode) }
            }, reads: .controls { .word($0.mode.word) },
            refusal: { input, value in
                value == .word(StageMode.off.word) ? input.field.map { StageRefusal.noFold(of: $0) } : nil
            }),
        Parameter(
            "spatialize", .input, subsection: .placing, words: SpatializationPolicy.allCases.map(\.word),
            "formats that are placed on the stage: none, stereo (and mono), multichannel or all; default: by the content",
            effect: .controls { controls, value, _ in
                controls.policy = SpatializationPolicy(word: value.word) ?? controls.policy
            }, reads: .controls { .word($0.policy.word) },
            refusal: { input, value in
                guard let field = input.field, let policy = SpatializationPolicy(word: value.word) else { return nil }
                return policy.places(isMultichannel: true) ? nil : StageRefusal.noFold(of: field)
            }),
        Parameter(
            "rendition", .input, subsection: .placing, words: RenditionChoice.allCases.map(\.word), standard: "auto",
            "rendition of the input that plays; auto: multichannel until one of its channels breaks off, then stereo if connected",
            isChoice: false,
            effect: .controls { controls, value, _ in
                controls.renditions.choice = RenditionChoice(word: value.word) ?? controls.renditions.choice
            }, reads: .controls { .word($0.renditions.choice.word) },
            refusal: { input, _ in
                if let field = input.field { return "a sound field (\(field.name)) has one rendition" }
                return input.programme.hasBothRenditions
                    ? nil : "the input has one rendition only; start the session with --stereo-rendition"
            }),
    ]

    // MARK: The upmix

    /// Upmix of a stereo input.
    package static let upmix: [Parameter] = [
        Parameter(
            "upmix", .upmix,
            ["centre", "width", "ambience"].map { Number(name: $0, unit: "", range: 0...1) },
            words: ["on", "off", "toggle"], "upmix of the input's stereo: on, off, or the three amounts",
            isChoice: false,
            effect: .controls { controls, value, _ in
                switch value {
                case .word("toggle"): controls.upmix.isOn.toggle()
                case .word(let word): controls.upmix.isOn = word == "on"
                case .numbers(let amounts):
                    controls.upmix.amounts = UpmixControls(
                        centre: Float(amounts[0]), width: Float(amounts[1]), ambience: Float(amounts[2]))
                }
            }, reads: .controls { .isOn($0.upmix.isOn) },
            refusal: noUpmix),
        amount("upmix-centre", "1", "share of the phantom centre that the upmix sends to the centre channel", \.centre),
        amount(
            "upmix-width", "0", "width of the upmix: at 1, half of the front pair's amplitude moves to the sides",
            \.width),
        amount(
            "upmix-ambience", "1", "share of the ambience that the upmix sends to the surround channels", \.ambience),
    ]

    /// Returns the parameter of one amount of the upmix.
    private static func amount(
        _ id: String, _ standard: String, _ help: String,
        _ amount: any (WritableKeyPath<UpmixControls, Float> & Sendable)
    ) -> Parameter {
        Parameter(
            id, .upmix, [Number(unit: "", range: 0...1)], standard: standard, help,
            effect: .upmix { amounts, value in amounts[keyPath: amount] = Float(value.number) },
            reads: .controls { .number(ParameterValue.share($0.upmix.amounts[keyPath: amount])) }, refusal: noUpmix)
    }

    private static let noUpmix: @Sendable (ProgrammeRefusal, ParameterValue) -> String? = { input, _ in
        if let field = input.field { return "a sound field (\(field.name)) holds no stereo to upmix" }
        return input.programme.upmix == nil
            ? "the input is not upmixed; start the session with --upmix identity, energy or matrix" : nil
    }

    // MARK: Loudness and dynamics

    /// Loudness normalisation and compression of an input.
    package static let loudness: [Parameter] = [
        Parameter(
            "programme-loudness", .loudness, [Number(unit: "LUFS", range: -70...5)],
            "loudness of the input as delivered ('proscenium loudness' measures it)",
            traits: [.isUnsetAtFirst], effect: .dynamics { $0.loudness = $1.numbers.first },
            reads: .dynamics { $0.loudness.map { .number($0) } }),
        Parameter(
            "dialnorm", .loudness, [Number(unit: "dB", range: -31...0, isWhole: true)],
            "loudness of the input's dialogue; 0 means -31; without a loudness-target the dialogue is played at -31",
            traits: [.isUnsetAtFirst],
            effect: .dynamics { $0.dialnorm = $1.numbers.first.map { $0 == 0 ? -31 : Int($0) } },
            reads: .dynamics { $0.dialnorm.map { .number(Double($0)) } }),
        Parameter(
            "loudness-target", .loudness, [Number(unit: "LUFS", range: -60...0)], words: ["line", "rf", "off"],
            "target loudness of the input: LUFS, line (-31), rf (-20), or off (no normalisation, even if its metadata state a loudness)",
            traits: [.isUnsetAtFirst], effect: .dynamics { $0.target = $1.written.first.flatMap(LoudnessTarget.init) },
            reads: .dynamics { settings in
                settings.target.map { if case .loudness(let target) = $0 { .number(target) } else { .word($0.word) } }
            }),
        Parameter(
            "drc", .loudness, words: CompressionProfile.allCases.map(\.word),
            "compression profile of the input; default: from its metadata",
            traits: [.isUnsetAtFirst], effect: .dynamics { $0.profile = CompressionProfile(word: $1.word) },
            reads: .dynamics { $0.profile.map { .word($0.word) } }),
        Parameter(
            "drc-cut", .loudness, [Number(unit: "", range: 0...1)], standard: "1",
            "share of the profile's attenuation that is applied",
            effect: .dynamics { $0.cut = $1.number }, reads: .dynamics { .number($0.cut) }),
        Parameter(
            "drc-boost", .loudness, [Number(unit: "", range: 0...1)], standard: "1",
            "share of the profile's amplification that is applied",
            effect: .dynamics { $0.boost = $1.number }, reads: .dynamics { .number($0.boost) }),
    ]
}
