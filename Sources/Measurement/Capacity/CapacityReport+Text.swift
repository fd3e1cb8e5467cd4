import Foundation

extension CapacityReport {
    /// The report in words, one fact per line.
    package var lines: [String] { circumstances + [""] + asked + [""] + others + wakings + rooms + [""] + suggestion }

    /// Machine, set, number of periods, priority and load of the measurement.
    private var circumstances: [String] {
        var lines = [
            "\(machine.processor), \(machine.cores) processors, kernels \(machine.instructionSet)"
                + (machine.governor.map { ", clock \($0)" } ?? ""),
            "\(hrtf), \(taps) taps at \(Int(sampleRate)) Hz; \(motion)",
        ]
        let counts = cells.filter { $0.room == nil }.map(\.times.count)
        lines.append(
            "in process, on one thread, \(counts.max() ?? 0) periods of each stage and setting (of long ones "
                + "\(counts.min() ?? 0)); p99.9 of fewer than 1000 is the longest")
        if !realTime {
            lines.append(
                "note: real-time priority is not permitted ('proscenium doctor' says how): the longest times may be longer "
                    + "than with it")
        }
        if let load {
            let words = String(
                format: "meanwhile other programs used %.0f %% of the machine and its host took %.1f %%",
                load.others * 100, load.stolen * 100)
            lines.append(
                load.disturbs
                    ? "note: \(words): they may have caused the largest times; measure again without them" : words)
        } else {
            lines.append("what other programs did meanwhile is not known: /proc/stat cannot be read")
        }
        return lines
    }

    /// Times of the requested stage, one line per setting.
    private var asked: [String] {
        let title = "\(stage), % of the period".padding(toLength: 36, withPad: " ", startingAt: 0)
        return [title + "  median     p99   p99.9     max"]
            + cells.filter { $0.stage == stage && $0.room == nil }.map { cell in
                let name = String(
                    format: "  period %4d (%5.2f ms), slice %3d", cell.setting.period,
                    Double(cell.setting.period) / sampleRate * 1000, cell.setting.slice)
                return name.padding(toLength: 36, withPad: " ", startingAt: 0) + columns(cell)
            }
    }

    /// Times of the requested stage in rooms, one line per room and setting; empty without rooms.
    private var rooms: [String] {
        let lines = cells.compactMap { cell in
            cell.room.map { room in
                let name = "  \(room.words), \(cell.setting.period)/\(cell.setting.slice)"
                return name.padding(toLength: 36, withPad: " ", startingAt: 0) + columns(cell)
            }
        }
        return lines.isEmpty
            ? [] : ["", "\(stage) in a room whose first 80 ms turn with the head, % of the period"] + lines
    }

    private func columns(_ cell: CapacityCell) -> String {
        let times = cell.times
        return [times.median, times.p99, times.p999, times.max].map { String(format: "%8.1f", $0 * 100) }.joined()
            + "   \(cell.verdict.rawValue)"
    }

    /// 99.9th percentiles of all other stages, one line each.
    private var others: [String] {
        let settings = cells.filter { $0.stage == stage && $0.room == nil }.map(\.setting)
        let title = "p99.9, % of the period".padding(toLength: 24, withPad: " ", startingAt: 0)
        var lines = [
            title + settings.map { "\($0.period)/\($0.slice)".padded(to: 10) }.joined() + "   (period/slice)"
        ]
        var seen: Set<String> = [stage]
        for cell in cells where seen.insert(cell.stage).inserted {
            let name = "  \(cell.stage)".padding(toLength: 24, withPad: " ", startingAt: 0)
            let row = settings.map { setting in
                cells.first { $0.stage == cell.stage && $0.setting == setting }
                    .map { String(format: "%.1f", $0.times.p999 * 100) } ?? "-"
            }
            lines.append(name + row.map { $0.padded(to: 10) }.joined())
        }
        return lines
    }

    /// Times of the requested stage on a thread that wakes at each period; empty if they were not measured.
    private var wakings: [String] {
        guard !woken.isEmpty else { return [] }
        return ["", "woken at each period, as JACK does:"]
            + woken.map { one in
                String(
                    format:
                        "  %@ at period %d, slice %d: runs %.3f ms late at the median, %.3f ms at p99.9; ready after %.1f %% and "
                        + "%.1f %% of the period; %d of %d missed", one.stage, one.setting.period, one.setting.slice,
                    milliseconds(one.late.median, one.setting), milliseconds(one.late.p999, one.setting),
                    one.ready.median * 100, one.ready.p999 * 100, one.missed, one.ready.count)
            }
    }

    private func milliseconds(_ share: Double, _ setting: CapacityCell.Setting) -> Double {
        share * Double(setting.period) / sampleRate * 1000
    }
}

extension String {
    /// Returns the text right-aligned in a column of `width` characters.
    fileprivate func padded(to width: Int) -> String { String(repeating: " ", count: max(1, width - count)) + self }
}
