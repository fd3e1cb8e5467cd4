@preconcurrency import Dispatch
import Foundation
import Session

/// The terminal while a session runs: one status line, and keys. Does nothing where no terminal is attached.
final class Desk: @unchecked Sendable {
    // Sound as @unchecked: opened and closed by one task; the sources' handlers only read `live`.
    private let live: LiveSession
    private var keys: (any DispatchSourceRead)?
    private var ticks: (any DispatchSourceTimer)?
    private var before = termios()

    init(_ live: LiveSession) { self.live = live }

    /// Takes the keyboard and begins to show the state.
    func open() {
        let live = self.live
        if isatty(0) == 1 {
            tcgetattr(0, &before)
            var raw = before
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(0, TCSANOW, &raw)
            let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .global())
            source.setEventHandler {
                var key: UInt8 = 0
                guard read(0, &key, 1) == 1 else { return }
                Task {
                    switch key {
                    case UInt8(ascii: " "), UInt8(ascii: "r"): _ = await live.perform(.recentre(.yaw))
                    case UInt8(ascii: "f"): _ = await live.perform(.recentre(.full))
                    case UInt8(ascii: "d"): _ = await live.perform(.reference(.device))
                    case UInt8(ascii: "h"): _ = await live.perform(.reference(.head))
                    case UInt8(ascii: "s"): _ = await live.perform(.reference(.still))
                    case UInt8(ascii: "o"):
                        _ = await live.perform(.room(!(await live.status().room?.isOn ?? false)))
                    case UInt8(ascii: "p"): _ = await live.perform(.playback(.resume))
                    case UInt8(ascii: "q"): await live.quit()
                    default: break
                    }
                }
            }
            source.resume()
            keys = source
        }
        if isatty(2) == 1 {
            let timer = DispatchSource.makeTimerSource(queue: .global())
            timer.schedule(deadline: .now() + 0.2, repeating: 0.1)
            timer.setEventHandler {
                Task {
                    let line = StatusText.line(await live.status())
                    FileHandle.standardError.write(Data("\r\(line)\u{1B}[K".utf8))
                }
            }
            timer.resume()
            ticks = timer
        }
    }

    /// Gives the keyboard back and clears the line.
    func close() {
        if let keys {
            keys.cancel()
            tcsetattr(0, TCSANOW, &before)
        }
        if let ticks {
            ticks.cancel()
            FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
        }
    }
}
