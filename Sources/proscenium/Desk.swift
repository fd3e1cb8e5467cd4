import Session

/// What the terminal shows of a running session, and what its keys do.
enum Desk {
    /// The terminal of a session; to be opened and closed.
    static func terminal(_ live: LiveSession) -> Terminal {
        Terminal {
            StatusText.line(await live.status())
        } takes: { keys in
            for key in keys { await press(key, live) }
        }
    }

    private static func press(_ key: UInt8, _ live: LiveSession) async {
        switch key {
        case UInt8(ascii: " "), UInt8(ascii: "r"): _ = await live.perform(.recentre(.yaw))
        case UInt8(ascii: "f"): _ = await live.perform(.recentre(.full))
        case UInt8(ascii: "d"): _ = await live.perform(.reference(.device))
        case UInt8(ascii: "h"): _ = await live.perform(.reference(.head))
        case UInt8(ascii: "s"): _ = await live.perform(.reference(.still))
        case UInt8(ascii: "o"): _ = await live.perform(.room(!(await live.status().room?.isOn ?? false)))
        case UInt8(ascii: "p"): _ = await live.perform(.playback(.resume))
        case UInt8(ascii: "q"): await live.quit()
        default: break
        }
    }
}
