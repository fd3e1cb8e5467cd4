import Desk
import Foundation
import Gate
import Stages

/// What a desktop shows of a session, derived from the values in force.
package struct NowPlaying: Sendable, Equatable {
    /// Whether it plays, with the words of MPRIS.
    package enum Status: String, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    /// Whether it plays.
    package var status = Status.stopped
    /// Object path of the track; title.
    package var track = NowPlaying.stage, title = ""
    /// URL of the file; empty without one.
    package var url = ""
    /// Length of the file, seconds; nil without one.
    package var duration: Double?
    /// Level of the monitor, dB.
    package var level = 0.0
    /// Number of the file in the list, from 1, and count of files; 0 without files.
    package var number = 0, count = 0
    /// Whether the list repeats.
    package var loops = false

    /// Object path of a session that plays no file.
    static let stage = "/org/proscenium/stage"

    /// A session without a stage.
    package init() {}

    /// Reads the values in force. `duration`: exact length of a preview's file, seconds.
    package init(_ values: SessionValues, duration: Double?) {
        func number(_ address: String) -> Int { Int(clamping: values[address]?.number ?? 0, to: 0...1_000_000) }
        level = values["monitor-level"]?.number ?? 0
        let playback = values["playback"]?.word ?? ""
        if let path = values["player/file"]?.word {
            status =
                playback == "held" || playback == "paused" || values["player/paused"] == .word("on")
                ? .paused : .playing
            (self.number, count) = (number("player/number"), number("player/count"))
            loops = values["player/loops"] == .word("on")
            self.duration = duration
            track = "/org/proscenium/track/\(self.number)"
            let file = URL(fileURLWithPath: path)
            (title, url) = (file.deletingPathExtension().lastPathComponent, file.absoluteString)
        } else if let client = values["client"]?.word {
            switch playback {
            case "playing": status = .playing
            case "held", "paused": status = .paused
            default: status = .stopped
            }
            // A built-in name such as 7.1.4 ends in no extension; a layout's file has one.
            let layout = (values["layout"]?.word ?? "").split(separator: "/").last ?? ""
            title = "\(client): \(layout.hasSuffix(".json") ? layout.dropLast(5) : layout)"
        }
    }

    /// Whether a file of a preview plays.
    package var isFile: Bool { count > 0 }
    /// Whether a file follows.
    package var hasNext: Bool { isFile && (number < count || loops) }

    /// Volume as MPRIS has it: 1 at 0 dB, the cube root of the gain, as desktops scale their faders.
    package var volume: Double { level <= MonitorSettings.levels.lowerBound ? 0 : pow(10, level / 60) }

    /// Returns the level of a volume, dB; nil where it is no number. More than 1 is 1: a slip of a client's scale must
    /// not make headphones louder than 0 dB.
    package static func level(ofVolume volume: Double) -> Double? {
        guard volume.isFinite else { return nil }
        let least = MonitorSettings.levels.lowerBound
        guard volume > 0 else { return least }
        // To a tenth of a decibel, which is what people read and hear.
        return max(least, (600 * log10(min(1, volume))).rounded() / 10)
    }
}
