import Foundation
import Geometry
import Glibc
import HeadTracking
import Loading
import Measurement
import Sweeps
import Trackers

/// Asks the person for a look, and waits: until a tracker reports it, for the key Enter or a request to begin, or for a
/// time.
struct PersonPrompt: Sendable {
    /// The tracker; nil without one.
    let feed: HeadPoseFeed?
    /// Time after which a take begins, seconds; nil: at the key Enter.
    let wait: Double?
    /// Returns false once the user has requested the end.
    let goesOn: @Sendable () -> Bool
    /// Requests of the person.
    var requests = PersonRequests()
    /// Whether a panel can send requests, so that the end of standard input does not end the wait.
    var hasPanel = false

    /// Greatest deviation from the planned yaw, degrees; greatest movement within `stillness` seconds, degrees.
    static let near = 4.0
    private static let (still, stillness) = (0.5, 1.0)
    /// Longest time until the head reaches a look and is still, seconds.
    private static let patience = 120.0
    /// Longest wait for the tracker's first packet, seconds.
    private static let trackerPatience = 5.0
    /// Time between two readings, milliseconds.
    private static let interval = 50

    /// Asks the person to get ready, waits for the person and the tracker, and makes the present pose the front.
    func begin(_ words: String) async throws {
        say(words + (wait == nil ? "; press Enter to begin" : ""))
        guard try await isAsked() else { throw Failure(.interrupted, "interrupted") }
        guard let feed else { return }
        // The tracker's first packets may arrive after the person is ready.
        for _ in 0..<(Int(Self.trackerPatience * 1000) / Self.interval) where look() == nil {
            guard goesOn() else { throw Failure(.interrupted, "interrupted") }
            try await Task.sleep(for: .milliseconds(Self.interval))
        }
        guard look() != nil else {
            throw Failure(.environment, "the tracker sends nothing; 'proscenium track --head …' shows what arrives")
        }
        feed.recentre(.yaw)
        // The pose fades to the new front.
        try await Task.sleep(for: .milliseconds(500))
    }

    /// The tracker's orientation now; nil without a tracker or while it is silent.
    func look() -> HeadLooks.Look? {
        guard let feed else { return nil }
        return Self.look(feed)
    }

    /// A function of its own, because frames of asynchronous functions do not keep the alignment of vectors (Swift
    /// 6.3).
    private static func look(_ feed: HeadPoseFeed) -> HeadLooks.Look? {
        let look = feed.look()
        guard look.status.headIsFresh else { return nil }
        let pose = look.pose.quaternion
        return HeadLooks.Look(yaw: pose.yaw * 180 / .pi, pitch: pose.pitch * 180 / .pi)
    }

    /// Asks for a fit of the headphones, and waits. Returns its number; nil if a request or the user ends the wait.
    func fits(_ number: Double, of count: Int) async throws -> Double? {
        let what =
            number == 1 ? "wear the headphones as usual" : "take the headphones off and put them on again"
        say(String(format: "fit %.0f of %d: ", number, count) + what + (wait == nil ? "; press Enter to begin" : ""))
        return try await isAsked(for: number) ? number : nil
    }

    /// Waits for a look. Returns its yaw in degrees: the mean of the tracker's, or the planned one without a tracker;
    /// nil if a request or the user ends the wait. Throws if the head does not reach the look within `patience`.
    func ready(_ yaw: Double) async throws -> Double? {
        let side = yaw == 0 ? "to the front" : String(format: "%.3g° to the %@", abs(yaw), yaw > 0 ? "left" : "right")
        guard feed != nil else {
            say("look \(side) and keep still until the second tone" + (wait == nil ? "; press Enter to begin" : ""))
            return try await isAsked(for: yaw) ? yaw : nil
        }
        say("look \(side) and keep still until the second tone")
        var looks: [HeadLooks.Look] = []
        let count = Int(Self.stillness * 1000) / Self.interval
        for _ in 0..<(Int(Self.patience * 1000) / Self.interval) {
            guard goesOn(), !requests.ends(yaw) else { return nil }
            if let look = look() { looks = (looks + [look]).suffix(count) } else { looks = [] }
            if looks.count == count, HeadLooks(looks).movement <= Self.still,
                looks.allSatisfy({ abs(remainder($0.yaw - yaw, 360)) <= Self.near })
            {
                return looks.reduce(0) { $0 + yaw + remainder($1.yaw - yaw, 360) } / Double(count)
            }
            try await Task.sleep(for: .milliseconds(Self.interval))
        }
        throw Failure(
            .environment,
            "the head did not reach \(yaw)° and keep still within \(Int(Self.patience)) s; check the tracker by 'proscenium "
                + "track', and run the same command line again")
    }

    /// Waits for the key Enter, the request to begin, or for the time. Returns false at the end of the input without a
    /// panel, at the user's request, and for a request that ends the wait for `look`, or for the fit of this number.
    private func isAsked(for look: Double? = nil) async throws -> Bool {
        var rest = wait.map { Int($0 * 1000) / Self.interval }
        var hearsKeys = true
        while goesOn() {
            if requests.takesBegin() { return true }
            guard !(look.map { requests.ends($0) } ?? requests.isStop) else { return false }
            if let left = rest {
                guard left > 0 else { return true }
                rest = left - 1
            } else if hearsKeys {
                var request = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
                if poll(&request, 1, 0) > 0 {
                    var byte: UInt8 = 0
                    let count = read(0, &byte, 1)
                    if count > 0 {
                        if byte == UInt8(ascii: "\n") { return true }
                    } else if count == 0 || errno != EINTR {
                        guard hasPanel else { return false }
                        hearsKeys = false
                    }
                    continue
                }
            }
            try await Task.sleep(for: .milliseconds(Self.interval))
        }
        return false
    }
}
