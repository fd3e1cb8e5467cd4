import HeadTracking
import Session

/// What the terminal shows of a running session, and what its keys do.
enum Desk {
    /// The terminal of a session; to be opened and closed.
    static func terminal(_ live: LiveSession, _ commands: CommandQueue) -> Terminal {
        Terminal {
            StatusText.line(await live.status())
        } takes: { keys in
            for key in keys { await press(key, live, commands) }
        }
    }

    private static func press(_ key: UInt8, _ live: LiveSession, _ commands: CommandQueue) async {
        switch key {
        case UInt8(ascii: " "), UInt8(ascii: "r"): _ = await commands.perform(.recentre(.yaw))
        case UInt8(ascii: "f"): _ = await commands.perform(.recentre(.full))
        case UInt8(ascii: "d"): _ = await commands.perform(.set(ParameterChange(.reference, .word("device"))))
        case UInt8(ascii: "h"): _ = await commands.perform(.set(ParameterChange(.reference, .word("head"))))
        case UInt8(ascii: "s"): _ = await commands.perform(.set(ParameterChange(.reference, .word("static"))))
        case UInt8(ascii: "o"): _ = await commands.perform(.set(ParameterChange(.room, .word("toggle"))))
        case UInt8(ascii: "p"): _ = await commands.perform(.playback(.resume))
        case UInt8(ascii: "q"): _ = await commands.perform(.quit)
        default: break
        }
    }
}
