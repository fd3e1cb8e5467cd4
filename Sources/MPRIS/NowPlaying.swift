import Desk
import Foundation
import Gate
import Stages

/// What a desktop shows of a session, derived from the values in force.
package struct NowPlaying: Sendable, Equatable {
    /// Playback status, in the words of MPRIS.
    package enum Status: String, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    /// Playback status.
    package var status = Status.stopped
    /// Object path and title of the track.
    package var track = NowPlaying.stage, title = ""
    /// URL of the file; empty without one.
    package var url = ""
    /// Length of the file, seconds; nil without one.
    package var duration: Double?
    /// Monitor level, dB.
    package var level = 0.0
    /// Number of the file in the list, from 1, and count of files; 0 without files.
    package var number = 0, count = 0
    /// Whether the list repeats.
    package var loops = false

    /// Object path of a session that plays no file.
    static let stage = "/org/proscenium/stage"

    /// Creates the state of a session that plays nothing.
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
            // The name of a built-in layout, such as 7.1.4, has no extension; the name of a layout file has one.
            let layout = (values["layout"]?.word ?? "").split(separator: "/").last ?? ""
            title = "\(client): \(layout.hasSuffix(".json") ? layout.dropLast(5) : layout)"
        }
    }

    /// Whether a file of a preview plays.
    package var isFile: Bool { count > 0 }
    /// Whether another file follows, also because the list repeats.
    package var hasNext: Bool { isFile && (number < count || loops) }

    /// Volume for MPRIS: the cube root of the linear gain, as on the faders of desktops. 1 is 0 dB; the lowest level is
    /// 0.
    package var volume: Double { level <= MonitorSettings.levels.lowerBound ? 0 : pow(10, level / 60) }

    /// Returns the level of a volume, dB; nil if the volume is not finite. A volume above 1 counts as 1, so that a
    /// client with another scale cannot make headphones louder than 0 dB.
    package static func level(ofVolume volume: Double) -> Double? {
        guard volume.isFinite else { return nil }
        let least = MonitorSettings.levels.lowerBound
        guard volume > 0 else { return least }
        // Rounded to 0.1 dB.
        return max(least, (600 * log10(min(1, volume))).rounded() / 10)
    }
}
