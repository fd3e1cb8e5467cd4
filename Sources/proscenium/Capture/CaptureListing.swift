import AudioIO
import Capture
import Desk
import Foundation
import Session
import Signal

/// `capture --list`: shows JACK's sources by groups, with levels; live on a terminal; once in JSON, and into a file or
/// pipe.
struct CaptureListing {
    /// One source.
    struct Row: Encodable {
        var port: String
        var name: String?
        var group: String
        var physical: Bool
        /// Whether the levels are measured. Sources beyond `most` have no input to measure them.
        var measured: Bool
        /// Peak, falling by 20 dB/s, dBFS; nil below −140 dBFS, or if not measured.
        var peak: Double?
        var rms: Double?
    }

    /// Greatest number of sources that are measured.
    static let most = 64
    /// Duration of a single measurement, seconds.
    private static let once = 1.0
    let name: String
    let json: Bool

    func run() throws {
        let interrupt = Interrupt()
        let inputs: JACKCapture
        do throws(JACKError) {
            inputs = try JACKCapture(name: name, channels: (1...Self.most).map(String.init), banks: 1)
        } catch {
            throw Failure(.environment, error.description)
        }
        defer { _ = inputs.close() }
        var meter = InputMeter(channels: Self.most, sampleRate: inputs.sampleRate)
        let block = PlanarBlock(channels: Self.most, frames: 4096)
        var connected: [String] = []
        let isLive = !json && isatty(1) == 1
        var shownLines = 0
        var (next, end) = (0.0, HostClock().now + Self.once)
        while !interrupt.isRequested {
            let now = HostClock().now
            let sources = inputs.sources()
            let ports = Array(sources.map(\.port).prefix(Self.most))
            if ports != connected {
                for (input, port) in ports.enumerated() { try? inputs.connect(bank: 0, input: input, to: port) }
                for input in ports.count..<max(ports.count, connected.count) {
                    try? inputs.connect(bank: 0, input: input, to: nil)
                }
                connected = ports
                end = now + Self.once
                // Levels measured for the earlier sources do not apply to these.
                usleep(100_000)
                while inputs.take(into: block, limit: 4096) > 0 {}
                meter = InputMeter(channels: Self.most, sampleRate: inputs.sampleRate)
            }
            while case let count = inputs.take(into: block, limit: 4096), count > 0 {
                meter.process(block, frames: count)
            }
            if isLive, now >= next {
                next = now + 0.1
                shownLines = show(Self.rows(sources, meter), over: shownLines)
            } else if !isLive, now >= end {
                let rows = Self.rows(sources, meter)
                return json ? try JSONText.print(rows) : print(Self.text(rows))
            }
            usleep(20_000)
        }
    }

    /// Returns the sources with their levels. The meter has `most` inputs.
    static func rows(_ sources: [CaptureSource], _ meter: InputMeter) -> [Row] {
        sources.enumerated().map { place, source in
            let isMeasured = place < most
            let level = isMeasured ? meter.levels[place] : InputMeter.Level()
            func rounded(_ value: Double) -> Double { (10 * value).rounded() / 10 }
            return Row(
                port: source.port, name: source.prettyName, group: source.group, physical: source.isPhysical,
                measured: isMeasured,
                peak: level.peak > 1e-7 ? rounded(20 * log10(Double(level.peak))) : nil,
                rms: level.power > 1e-14 ? rounded(10 * log10(level.power)) : nil)
        }
    }

    /// Returns the sources under their groups, each with a bar of 60 dB.
    static func text(_ rows: [Row]) -> String {
        guard !rows.isEmpty else { return "no JACK port provides sound" }
        var (lines, group): ([String], String?) = ([], nil)
        let width = rows.map(\.port.count).max() ?? 0
        for row in rows {
            if row.group != group {
                lines.append(row.group + (row.physical ? " (sound card)" : ""))
                group = row.group
            }
            let filled = max(0, min(20, Int(((row.peak ?? -60) + 60) / 3)))
            let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
            let silent = row.measured ? "   silent" : "not measured"
            let level = row.peak.map { String(format: "%6.1f dB", $0) } ?? silent
            let port = row.port.padding(toLength: width, withPad: " ", startingAt: 0)
            lines.append("  \(port)  \(bar) \(level)" + (row.name.map { "  \($0)" } ?? ""))
        }
        return lines.joined(separator: "\n")
    }

    /// Writes the rows over the last `lines` lines; returns the number of lines written.
    private func show(_ rows: [Row], over lines: Int) -> Int {
        let text = Self.text(rows)
        let up = lines > 0 ? "\u{1B}[\(lines)A\u{1B}[J" : ""
        FileHandle.standardOutput.write(Data((up + text + "\n").utf8))
        return text.split(separator: "\n", omittingEmptySubsequences: false).count
    }
}
