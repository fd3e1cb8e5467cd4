import AudioIO
import Loading
import Signal
import Soundstage

/// Settings of the fold-down of a programme to fewer channels.
package struct FoldSettings: Sendable, Hashable {
    /// Kinds of a stereo fold-down.
    package enum Kind: String, CaseIterable, Sendable {
        /// Left only, right only: for two loudspeakers (ITU-R BS.775-4).
        case loro
        /// Left total, right total: a matrix decoder can recover the surround channels.
        case ltrt
    }

    /// Kind of a stereo fold-down.
    package var kind: Kind
    /// Levels of an Lo/Ro fold-down.
    package var levels: FoldChoice

    /// Creates settings; the default follows BS.775-4.
    package init(kind: Kind = .loro, levels: FoldChoice = FoldChoice()) {
        self.kind = kind
        self.levels = levels
    }

    /// Throws if the settings do not apply to the fold-down from one layout to another.
    package func check(from source: Layout, to target: Layout) throws(SessionError) {
        func refuse(_ reason: String) -> SessionError { SessionError(.usage, reason) }
        let isNarrow = ["stereo", "mono", "lcr", "3.1"].contains(target.name)
        if kind == .ltrt {
            guard target.name == "stereo" else {
                throw refuse("--fold-down ltrt makes two channels: give --to stereo, not \(target.name)")
            }
            guard source.channelCount > 2 else {
                throw refuse("\(source.name) holds nothing to encode: --fold-down ltrt takes more than two channels")
            }
            guard levels == FoldChoice() else {
                throw refuse(
                    "the levels of Lt/Rt are the matrix's: leave out --centre-level, --surround-level and --surround-sum"
                )
            }
        }
        if levels.centre != nil || levels.surround != nil {
            guard source.ambisonics == nil else {
                throw refuse("a sound field (\(source.name)) has no centre and no surrounds to set the level of")
            }
            guard isNarrow else {
                throw refuse(
                    "--centre-level and --surround-level are of a fold-down to stereo, lcr, 3.1 or mono, not to \(target.name)"
                )
            }
        }
    }

    /// Description of the file that `bake` writes.
    var bakedText: String {
        if kind == .ltrt { return "fold-down as Lt/Rt, surrounds turned by 90°" }
        return text.map { "fold-down, " + $0 } ?? "fold-down by BS.775"
    }

    /// Description of the fold-down for a line of the report; nil for Lo/Ro with the usual levels.
    package var text: String? {
        if kind == .ltrt { return "Lt/Rt, surrounds turned by 90°; --upmix matrix decodes it" }
        var parts: [String] = []
        if let centre = levels.centre { parts.append("centre at \(centre)") }
        if let surround = levels.surround { parts.append("surrounds at \(surround)") }
        if levels.surroundSum != .full { parts.append("sides and backs summed by \(levels.surroundSum.rawValue)") }
        return parts.isEmpty ? nil : "Lo/Ro with " + parts.joined(separator: ", ")
    }
}

extension ChannelMatrix {
    /// Identity matrix of two channels.
    package static var pair: ChannelMatrix { ChannelMatrix(inputCount: 2, gains: [[1, 0], [0, 1]]) }
}
