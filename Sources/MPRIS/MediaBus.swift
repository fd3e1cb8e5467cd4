import CBus
import CDevices
import Desk
import Foundation
import Gate
import Signal
import Synchronization

/// Media keys and Now Playing of the desktop: a media player (MPRIS 2.2) on the D-Bus of the user's login session.
///
/// A thread of its own sleeps until a client calls or a property changes; no timer wakes it. Requests become commands
/// of the session, one request at a time. sd-bus checks signatures, object paths and UTF-8 of all that comes from the
/// bus, and `MediaRequest` checks ranges and tracks.
package final class MediaBus: Sendable {
    private let desk: MediaDesk
    private let say: @Sendable (String) -> Void
    private let worker = Worker(name: "media keys")
    private let bell: Int32
    /// Whether the descriptor `bell`, whose signal wakes the thread, is open. The thread closes it at its end.
    private let isOpen = Mutex(true)

    /// Whether `DBUS_SESSION_BUS_ADDRESS` names a session bus or, if it is not set, the bus's socket is at its usual
    /// place.
    package static func exists(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] { return !address.isEmpty }
        let runtime = BaseFolder.runtime.named(in: environment)
        return runtime.map { FileManager.default.fileExists(atPath: $0 + "/bus") } ?? false
    }

    /// Opens the player on the bus, on a thread of its own. Nil if the system provides no thread or no descriptor.
    ///
    /// - Parameters:
    ///   - desk: the session's commands and present values.
    ///   - say: receives the reason if the bus cannot be used.
    package init?(_ desk: SessionDesk, say: @escaping @Sendable (String) -> Void) {
        bell = pcd_signal_open()
        guard bell >= 0 else { return nil }
        self.desk = MediaDesk(desk)
        self.say = say
        do throws(WorkerError) {
            try worker.start { [self] _ in work() }
        } catch {
            pcd_close(bell)
            return nil
        }
    }

    /// Name on the bus, after `org.mpris.MediaPlayer2.`.
    static var name: String { "proscenium.instance\(getpid())" }

    /// Removes the player from the bus. Returns when that is done, or after one second at most, so that a bus that does
    /// not answer does not delay the end of a session.
    package func close() async {
        desk.leave()
        worker.end()
        ring()
        await Worker.apart("media keys' end") { [worker] in _ = worker.join(within: 1) }
    }

    private func ring() {
        isOpen.withLock { isOpen in if isOpen { pcd_signal_raise(bell) } }
    }

    // MARK: The thread

    private func work() {
        defer {
            isOpen.withLock { $0 = false }
            pcd_close(bell)
        }
        if let missing = pcb_load() {
            return say("media keys: \(String(cString: missing)); install it, or start with '--mpris off'")
        }
        var door = pcb_door(
            context: Unmanaged.passUnretained(self).toOpaque(),
            tell: { context, player in
                guard let context, let player else { return }
                Unmanaged<MediaBus>.fromOpaque(context).takeUnretainedValue().tell(player)
            },
            take: { context, request, offset, number, text, reason, size in
                guard let context, let text, let reason else { return false }
                let bus = Unmanaged<MediaBus>.fromOpaque(context).takeUnretainedValue()
                guard let refusal = bus.take(request, offset, number, String(cString: text)) else { return true }
                pcb_copy(reason, size, refusal)
                return false
            })
        // The closures above call this object, which the thread keeps alive until the connection is closed.
        withUnsafePointer(to: &door) { door in
            var opened: OpaquePointer?
            let code = pcb_open(&opened, Self.name, "Proscenium", door)
            guard code == 0, let bus = opened else { return fail("cannot be used", code) }
            defer { pcb_close(bus) }
            desk.follow { [weak self] in self?.ring() }
            while !worker.isEnding {
                let code = serve(bus)
                guard code >= 0 else {
                    if !worker.isEnding { fail("has ended", code) }
                    return
                }
            }
        }
        desk.leave()
    }

    /// Handles the messages that have arrived, announces changes, and waits for the next event. Returns −errno after a
    /// failure, otherwise 0 or more.
    private func serve(_ bus: OpaquePointer) -> Int32 {
        var code = pcb_process(bus)
        let news = desk.takeNews()
        if code >= 0 { code = pcb_changed(bus, news.changes.rawValue) }
        if code >= 0, let jump = news.jump { code = pcb_seeked(bus, Self.microseconds(jump)) }
        return code >= 0 && !worker.isEnding ? pcb_wait(bus, bell) : code
    }

    private func fail(_ what: String, _ code: Int32) {
        let cause = String(cString: strerror(-code))
        say("media keys: the user's D-Bus \(what) (\(cause)); the session goes on without it")
    }

    private func tell(_ player: OpaquePointer) {
        let (playing, seconds) = desk.now
        pcb_put(player, PCB_STATUS_WORD, playing.status.rawValue)
        pcb_put(player, PCB_LOOP_WORD, playing.loops ? "Playlist" : "None")
        pcb_put(player, PCB_TRACK, playing.track)
        pcb_put(player, PCB_TITLE, playing.title)
        // A URL that is cut off would name another file.
        pcb_put(player, PCB_URL, playing.url.utf8.count < Self.longestURL ? playing.url : "")
        pcb_put_numbers(
            player, Self.microseconds(min(seconds, playing.duration ?? 0)),
            playing.duration.map(Self.microseconds) ?? -1, playing.volume, playing.hasNext, playing.isFile,
            playing.isFile)
    }

    /// Size of the buffer for a URL, with the final zero, bytes.
    private static let longestURL = 4096

    private func take(_ request: pcb_request, _ offset: Int64, _ number: Double, _ text: String) -> String? {
        let meant: MediaRequest? =
            switch request {
            case PCB_QUIT: .quit
            case PCB_NEXT: .next
            case PCB_PREVIOUS: .previous
            case PCB_PAUSE: .pause
            case PCB_PLAY_PAUSE: .playPause
            case PCB_STOP: .stop
            case PCB_PLAY: .play
            case PCB_SEEK: .seek(by: offset)
            case PCB_SET_POSITION: .position(offset, track: text)
            case PCB_SET_VOLUME: .volume(number)
            case PCB_SET_LOOP: .loop(text)
            default: nil
            }
        guard let meant else { return "this is not understood" }
        return desk.perform(meant)
    }

    /// Converts seconds of a file to microseconds.
    private static func microseconds(_ seconds: Double) -> Int64 {
        Int64(clamping: Int(clamping: seconds * 1e6, to: 0...1_000_000_000_000_000))
    }
}
