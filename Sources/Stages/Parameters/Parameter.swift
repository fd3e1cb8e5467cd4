import AudioIO
import Gate
import HeadTracking
import Soundstage

/// One row of the table of parameters: a value that the user can set.
///
/// A row holds the name, the valid values and the purpose of the parameter; `Parameter.all` holds the rows. Options,
/// keys of `--input`, the config file and all control interfaces read values by the row, so that each range is defined
/// once.
package struct Parameter: Sendable, Identifiable {
    /// Name: the word for `ctl`, the end of the OSC address, and the option without dashes unless `option` differs.
    package let id: String
    /// Subject group.
    package let group: Group
    /// Subsection within the panel's section; nil: the parameter comes before all subsections.
    package let subsection: Subsection?
    /// Valid numbers, in order; empty if only words are valid.
    package let numbers: [Number]
    /// Valid words instead of numbers.
    package let words: [String]
    /// Description of the texts that are valid, for example `a layout's name or file`; nil: only words and numbers.
    package let text: String?
    /// Default as text; nil if there is none, or if it depends on something that the help text names.
    package let standard: String?
    /// Purpose, a phrase that follows the name.
    package let help: String
    /// Former names; accepted for one release, with a hint.
    package let former: [String]
    /// Whether an option or key can set it at the start of a session.
    package let isChoice: Bool
    /// How its value and its changes differ from those of other parameters.
    package let traits: Set<Trait>
    /// Effect of a change.
    package let effect: Effect
    /// Source of the value in force.
    package let reading: Reading
    /// Returns the reason why an input cannot take a value; nil if it can.
    package let refusal: @Sendable (ProgrammeRefusal, ParameterValue) -> String?

    /// How a parameter's value and its changes differ from those of other parameters.
    package enum Trait: Sendable {
        /// It may have no value until one is set.
        case isUnsetAtFirst
        /// A momentary state of scenes, a comparison, talkback or a test: such a value is neither saved nor undone.
        case isMomentary
        /// Each change is carried out, in the order of the commands; a later change does not replace an earlier one.
        case isOrdered
        /// It has a value only while another parameter has one.
        case isDerived
        /// A change of an input also changes its sends to effects.
        case reachesEffects
    }

    /// Groups of parameters by subject.
    package enum Group: String, Sendable, CaseIterable {
        /// The stage as a whole.
        case stage
        /// The room of the stage.
        case room
        /// The headphones.
        case headphones
        /// Head tracking.
        case tracking
        /// Level, place, spatial mode, rendition and switches of an input.
        case input
        /// The upmix of a stereo input.
        case upmix
        /// The mix of a sound field from voices and ambience.
        case mix
        /// Loudness and dynamics of an input.
        case loudness
        /// The monitor section.
        case monitor
        /// Each virtual loudspeaker by itself.
        case loudspeaker
        /// Scenes, comparisons and the print bus.
        case scenes
    }

    /// A number in a parameter's value.
    package struct Number: Sendable, Equatable {
        /// Name, if there are several numbers.
        package var name = ""
        /// Unit as printed; empty for shares.
        package var unit: String
        /// Valid range.
        package var range: ClosedRange<Double>
        /// Value if the number is omitted; nil if it is required.
        package var omitted: Double?
        /// Whether only whole numbers are valid.
        package var isWhole = false

        /// Creates a number; see the properties.
        package init(
            name: String = "", unit: String, range: ClosedRange<Double>, omitted: Double? = nil, isWhole: Bool = false
        ) {
            (self.name, self.unit, self.range) = (name, unit, range)
            (self.omitted, self.isWhole) = (omitted, isWhole)
        }
    }

    /// Effects of a change; each closure receives a value that the row has read.
    package enum Effect: Sendable {
        /// Changes a component of the stage.
        case stage(@Sendable (inout StageChoices, ParameterValue) -> Void)
        /// Changes the controls of a programme; effective at the next slice, with a fade or a movement.
        case controls(@Sendable (inout ProgrammeControls, ParameterValue, Programme) -> Void)
        /// Changes the amounts of the upmix; smoothed.
        case upmix(@Sendable (inout UpmixControls, ParameterValue) -> Void)
        /// Changes a programme's loudness settings, which determine gains.
        case dynamics(@Sendable (inout DynamicsSettings, ParameterValue) -> Void)
        /// Changes the choices of head tracking; smoothed by the tracker.
        case tracking(@Sendable (inout HeadTrackerOptions.Choices, ParameterValue) -> Void)
        /// Switches the room on or off.
        case room
        /// Switches the headphones' equalisation on or off.
        case headphones
        /// Changes the monitor section; returns the reason for a refusal, otherwise nil.
        case monitor(@Sendable (inout MonitorSettings, ParameterValue) -> String?)
        /// Changes a virtual loudspeaker.
        case loudspeaker(@Sendable (inout MonitorSettings.Switches, ParameterValue) -> Void)
        /// Performs an action on the monitor section that needs more than its settings.
        case listening(ListeningAct)
        /// Performs an action on scenes, comparisons or the print bus.
        case staging(StagingAct)
    }

    /// Actions on the monitor section that need more than its settings.
    package enum ListeningAct: Sendable {
        /// Ends all solos, or only those of inputs or of loudspeakers.
        case soloClear
        /// Plays test noise.
        case testNoise
        /// Selects the fold-down of the stage.
        case foldDown
        /// Starts or ends a comparison of the stage and its fold-down.
        case compare
        /// Adds or removes inputs that bypass the stage.
        case have(MonitorInputs)
    }

    /// Sources of the value in force.
    package enum Reading: Sendable {
        /// The choices of the stage.
        case stage(@Sendable (StageChoices) -> ParameterValue)
        /// The controls of a programme.
        case controls(@Sendable (ProgrammeControls) -> ParameterValue)
        /// The loudness settings of a programme; nil if not set.
        case dynamics(@Sendable (DynamicsSettings) -> ParameterValue?)
        /// The choices of head tracking.
        case tracking(@Sendable (HeadTrackerOptions.Choices) -> ParameterValue)
        /// The switch of the room.
        case room
        /// The switch of the headphones' equalisation.
        case headphones
        /// The monitor section; nil if not set.
        case monitor(@Sendable (MonitorSettings) -> ParameterValue?)
        /// The scenes, comparison and print bus; nil if not set.
        case staging(@Sendable (SceneFacts) -> ParameterValue?)
        /// The monitor section, for a loudspeaker by its name.
        case loudspeaker(@Sendable (MonitorSettings, String) -> ParameterValue)
    }

    /// Creates a row; see the properties.
    package init(
        _ id: String, _ group: Group, subsection: Subsection? = nil, _ numbers: [Number] = [], words: [String] = [],
        text: String? = nil,
        former: [String] = [], standard: String? = nil, _ help: String, isChoice: Bool = true,
        traits: Set<Trait> = [], effect: Effect, reads reading: Reading,
        refusal: @escaping @Sendable (ProgrammeRefusal, ParameterValue) -> String? = { _, _ in nil }
    ) {
        self.id = id
        self.group = group
        self.subsection = subsection ?? Self.subsection(of: group)
        self.numbers = numbers
        self.words = words
        self.text = text
        self.former = former
        self.standard = standard
        self.help = help
        self.isChoice = isChoice
        self.traits = traits
        self.effect = effect
        self.reading = reading
        self.refusal = refusal
    }

    /// Purpose as the beginning of a sentence; the parameter's own words keep their case.
    package var sentence: String {
        words.contains { help.hasPrefix($0 + " ") } ? help : help.prefix(1).uppercased() + help.dropFirst()
    }

    /// Whether each input has its own value; a change without an input's name applies to all.
    package var isOfInputs: Bool { [.input, .upmix, .mix, .loudness].contains(group) }

    /// Whether each virtual loudspeaker has its own value; a change without a name applies to all.
    package var isOfLoudspeakers: Bool { group == .loudspeaker }

    /// Sections of the panel. Within a section the parameters have the order of the table.
    package enum Section: String, Sendable {
        /// The stage, the room and the ears; head tracking; what is listened to; loudspeakers; scenes.
        case ears, tracking, monitor, loudspeakers, scenes
        /// The section of each input.
        case inputs
    }

    /// Section of the panel.
    package var section: Section {
        switch group {
        case .stage, .room: .ears
        // The file is chosen in the section of the rooms. The switch is in the monitor section.
        case .headphones: text == nil ? .monitor : .ears
        case .tracking: .tracking
        case .input, .upmix, .mix, .loudness: .inputs
        case .monitor: id.hasPrefix("solo-") ? .loudspeakers : .monitor
        case .loudspeaker: .loudspeakers
        case .scenes: .scenes
        }
    }

    /// Whether the panel shows a text field or list instead of a fader: for numbers with words that are not an end of
    /// the range.
    package var prefersText: Bool {
        !numbers.isEmpty && !words.isEmpty && !words.contains("on") && numbers[0].unit != "dB"
    }

    /// Whether a change rebuilds the stage. The present stage plays until the new one replaces it.
    package var rebuildsStage: Bool { if case .stage = effect { true } else { false } }

    /// Valid values, for help and errors: `-120 to 40 dB, or off`, `yaw [pitch] [roll], -360 to 360 degrees each`.
    package var takes: String {
        let choice =
            words.count > 1 ? words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1] : words.first
        if let kind = self.text { return kind + (choice.map { ", or \($0)" } ?? "") }
        guard let first = numbers.first else { return choice ?? "nothing" }
        func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? String(number) }
        let unit = first.unit.isEmpty ? "" : " " + first.unit
        let kind = first.isWhole ? ", whole" : ""
        var taken = "\(text(first.range.lowerBound)) to \(text(first.range.upperBound))\(unit)\(kind)"
        if numbers.count > 1 {
            taken =
                numbers.map { $0.omitted == nil ? $0.name : "[\($0.name)]" }.joined(separator: " ") + ", \(taken) each"
        }
        return taken + (choice.map { ", or \($0)" } ?? "")
    }

    /// Values in the form of a usage line: `<yaw> [<pitch>] [<roll>]`, `<dB>|off`.
    package var form: String {
        let places = numbers.map { number in
            let name = "<\(numbers.count > 1 || number.unit.isEmpty ? number.name : number.unit)>"
            return number.omitted == nil ? name : "[\(name)]"
        }.joined(separator: " ")
        let text = self.text == nil ? places : "<\(id)>"
        return ([text].filter { !$0.isEmpty } + words).joined(separator: "|")
    }

    /// Greatest length of a text, bytes: that of a path.
    private static let longestText = 4096

    /// Reads a value from words and numbers: separate, or joined by `,` or `:`.
    ///
    /// - Throws: `ParameterError.value` with the valid values.
    package func value(of written: [String]) throws(ParameterError) -> ParameterValue {
        let error = ParameterError.value(written.joined(separator: " "), of: id, takes: takes)
        if written.count == 1, let word = Self.word(written[0], among: words) { return .word(word) }
        if text != nil {
            let said = written.joined(separator: " ")
            guard !said.isEmpty, said.utf8.count <= Self.longestText, !said.utf8.contains(where: { $0 < 32 }) else {
                throw error
            }
            return .word(said)
        }
        let parts = written.flatMap { $0.split(omittingEmptySubsequences: false) { $0 == "," || $0 == ":" } }
        guard !numbers.isEmpty, !parts.isEmpty, parts.count <= numbers.count else { throw error }
        var values: [Double] = []
        for (index, number) in numbers.enumerated() {
            guard index < parts.count else {
                guard let omitted = number.omitted else { throw error }
                values.append(omitted)
                continue
            }
            guard let value = Double(parts[index], unit: number.unit), number.range.contains(value),
                !number.isWhole || value == value.rounded()
            else { throw error }
            values.append(value)
        }
        return .numbers(values)
    }

    /// Returns the word of a list that a text means; nil if there is none. A switch also accepts 1, 1.0, `true`, 0, 0.0
    /// and `false`.
    private static func word(_ text: String, among words: [String]) -> String? {
        if words.contains(text) { return text }
        guard words.contains("on"), words.contains("off") else { return nil }
        switch text {
        case "1", "1.0", "true": return "on"
        case "0", "0.0", "false": return "off"
        default: return nil
        }
    }
}

extension Parameter: Hashable {
    /// Compares rows by name.
    package static func == (a: Parameter, b: Parameter) -> Bool { a.id == b.id }

    /// Hashes the name.
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Properties of an input that decide whether it can take a parameter.
package struct ProgrammeRefusal: Sendable {
    /// The input.
    package let programme: Programme
    /// Whether its sources are part of a measured room.
    package let isMeasured: Bool

    /// Creates the properties of an input.
    package init(programme: Programme, isMeasured: Bool) {
        (self.programme, self.isMeasured) = (programme, isMeasured)
    }

    /// The layout of the sound field, if the input is one; nil for loudspeakers.
    var field: Layout? { programme.field == nil ? nil : programme.layout }
}
