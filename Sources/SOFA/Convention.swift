/// A convention of AES69 (2015, 2020, 2022 and the earlier drafts), and its use in this program.
package struct Convention: Hashable, Sendable {
    /// Name as the file spells it.
    package let name: String
    package let purpose: Purpose
    /// Type of the data that the convention defines.
    let dataType: DataType

    /// Use of a file.
    package enum Purpose: Hashable, Sendable {
        /// Responses of a head in a free field: `--hrtf`.
        case head
        /// Responses of a room at two ears: `--room`.
        case room
        /// Responses of a headphone at the ears of its wearer.
        case headphones
        /// No use in this program; the text describes the content.
        case other(String)
    }

    /// Type of the data (DataType), with the names used in files. M: measurements, R: receivers, E: emitters; N:
    /// samples, frequencies or coefficients.
    enum DataType: String, CaseIterable, Hashable, Sendable {
        /// Data.IR, M×R×N.
        case fir = "FIR"
        /// Data.IR, M×R×N×E.
        case firE = "FIR-E"
        /// Data.Real and Data.Imag, M×R×N, at N frequencies.
        case tf = "TF"
        /// Data.Real and Data.Imag, M×R×N×E, at N frequencies.
        case tfE = "TF-E"
        /// Data.SOS, M×R×N, six coefficients per section.
        case sos = "SOS"
        case string = "String"
        case audio = "Audio"

        /// Parses a name; nil for an unknown one. Case, hyphens, spaces and underscores are ignored. "FIRE" and "TFE"
        /// are the names in AES69-2015.
        init?(named name: String) {
            let plain = name.uppercased().filter { $0 != "-" && $0 != " " && $0 != "_" }
            guard let type = DataType.allCases.first(where: { $0.rawValue.uppercased().filter { $0 != "-" } == plain })
            else { return nil }
            self = type
        }

        /// Whether the variables have an axis of emitters.
        var hasEmitters: Bool { self == .firE || self == .tfE }
        /// Whether the variables contain spectra.
        var isSpectral: Bool { self == .tf || self == .tfE }
        /// Name of the variable with the data, or of the first of two.
        var variable: String {
            switch self {
            case .fir, .firE: "Data.IR"
            case .tf, .tfE: "Data.Real"
            case .sos: "Data.SOS"
            case .string: "Data.String"
            case .audio: "Data.Receiver"
            }
        }
    }

    /// Finds a convention by the attribute SOFAConventions; nil for an unknown name.
    init?(named name: String) {
        guard let (type, purpose) = Convention.table[name] else { return nil }
        (self.name, self.purpose, dataType) = (name, purpose, type)
    }

    /// Whether files of this convention may describe objects other than a head. The positions of the receivers then
    /// show whether they are the ears of one.
    var isGeneral: Bool { name.hasPrefix("General") }

    /// All conventions, from the tables of the SOFA Toolbox 2.2 and their predecessors.
    private static let table: [String: (DataType, Purpose)] = [
        "SimpleFreeFieldHRIR": (.fir, .head), "SimpleFreeFieldHRTF": (.tf, .head), "SimpleFreeFieldTF": (.tf, .head),
        "SimpleFreeFieldHRSOS": (.sos, .head), "SimpleFreeFieldSOS": (.sos, .head), "FreeFieldHRIR": (.firE, .head),
        "FreeFieldHRTF": (.tfE, .head), "SHFreeFieldHRTF": (.tfE, .head), "GeneralFIR": (.fir, .head),
        "GeneralFIR-E": (.firE, .head), "GeneralFIRE": (.firE, .head), "GeneralTF": (.tf, .head),
        "GeneralTF-E": (.tfE, .head), "GeneralSOS": (.sos, .head),
        "SingleRoomSRIR": (.fir, .room), "SingleRoomDRIR": (.fir, .room), "SingleRoomMIMOSRIR": (.firE, .room),
        "MultiSpeakerBRIR": (.firE, .room),
        "SimpleHeadphoneIR": (.fir, .headphones), "HeadphoneIR": (.fir, .headphones),
        "FreeFieldDirectivityTF": (
            .tf, .other("the directivity of an instrument or loudspeaker, which sends sound out and has no ears")
        ),
        "AnnotatedReceiverAudio": (.audio, .other("a recording by microphones that move; play it as a sound file")),
        "AnnotatedEmitterAudio": (.audio, .other("sound for sources that move; play it as a sound file")),
        "SingleTrackedAudio": (.audio, .other("a recording by a tracked listener; play it as a sound file")),
        "General": (.fir, .other("data of no agreed meaning")),
        "GeneralString": (.string, .other("texts, not responses")),
    ]

    /// Returns the names of all conventions for a purpose, in alphabetic order.
    package static func names(for purpose: Purpose) -> [String] {
        table.filter { $0.value.1 == purpose }.keys.sorted()
    }
}
