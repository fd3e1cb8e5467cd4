import Foundation

extension CapacityReport {
    /// Recommended settings, in sentences.
    var words: [String] {
        guard let choice = suggested, let woken = woken.last else {
            return [
                "\(stage) is too much for this machine at every period measured: choose a smaller layout, a set with shorter "
                    + "filters, or render the programme beforehand ('proscenium render')."
            ]
        }
        let (period, slice) = (choice.setting.period, choice.setting.slice)
        var lines = [
            String(
                format:
                    "%@ at period %d with slices of %d uses %.0f %% of each period at the median, %.0f %% at the 99.9th percentile: %@.",
                stage, period, slice, choice.times.median * 100, choice.times.p999 * 100, choice.verdict.words)
        ]
        if woken.holds {
            lines.append(
                "Let JACK run with '-r \(Int(sampleRate)) -p \(period)' (PipeWire: PIPEWIRE_LATENCY=\(period)/"
                    + "\(Int(sampleRate))) and start 'proscenium run \(options) --slice \(slice)'.")
        } else {
            let cure =
                realTime
                ? "stop other work" : "allow real-time priority ('proscenium doctor' says how), stop other work"
            lines.append(
                "But woken at each period, as by JACK, \(stage) was late for \(woken.missed) of \(woken.ready.count) "
                    + "periods: \(cure), or use a longer period.")
        }
        if let room = CapacityChoice.room(cells, under: choice.setting), let words = room.room?.words {
            lines.append(
                String(
                    format:
                        "With a room of %@ (--room) it uses %.0f %% at the median, %.0f %% at the 99.9th percentile: "
                        + "fits.",
                    words,
                    room.times.median * 100, room.times.p999 * 100))
        } else if cells.contains(where: { $0.room != nil && $0.setting == choice.setting }) {
            lines.append("No room fits at this setting; try a longer period.")
        }
        let (most, tooMany) = CapacityChoice.sources(cells, under: choice.setting)
        if let tooMany {
            lines.append(
                "At this setting \(most.map { "\($0.sources) sources fit, " } ?? "")\(tooMany.sources) sources "
                    + (tooMany.verdict == .tight ? "are tight." : "are too many."))
        } else if let most {
            lines.append("At this setting \(most.sources) sources fit as well.")
        }
        return lines
    }
}

extension CapacityVerdict {
    /// The verdict as the end of a sentence.
    fileprivate var words: String {
        switch self {
        case .fits: "fits"
        case .tight: "tight, close other programs"
        case .exceeds: "too much"
        }
    }
}
