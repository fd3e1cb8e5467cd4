import Foundation

/// Search for a sound card that plays, in ALSA's list of devices.
struct CardSearch {
    private let root: String

    /// Creates a search. `root`: `/proc/asound`, or another folder in tests.
    init(root: String = "/proc/asound") { self.root = root }

    /// ALSA's name of the first device that plays, such as `hw:PCH` or `hw:USB,1`. An HDMI device is chosen only if no
    /// other device plays. Nil if no device plays, or if the list cannot be read.
    var found: String? {
        let text = (try? String(contentsOfFile: root + "/pcm", encoding: .utf8)) ?? ""
        let playing = text.split(separator: "\n").filter { $0.contains(": playback ") }
        guard let line = playing.first(where: { !$0.contains("HDMI") }) ?? playing.first else { return nil }
        // A line begins with the numbers of card and device: `00-03: …`.
        let numbers = line.prefix { $0 != ":" }.split(separator: "-").map { Int($0) }
        guard numbers.count == 2, let card = numbers[0], let device = numbers[1] else { return nil }
        let read = try? String(contentsOfFile: "\(root)/card\(card)/id", encoding: .utf8)
        let id = read?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        let isPlain = !id.isEmpty && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return "hw:" + (isPlain ? id : String(card)) + (device == 0 ? "" : ",\(device)")
    }
}
