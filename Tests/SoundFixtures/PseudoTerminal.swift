import Glibc

/// The far end of a terminal or serial line without hardware: that of the tracker or of the user who types.
package final class PseudoTerminal: @unchecked Sendable {
    // @unchecked is safe: the descriptor and path are constant; the only owner closes the descriptor once.
    private let descriptor: Int32
    /// Path of the computer's end.
    package let path: String
    private var isOpen = true

    /// Opens a pseudo-terminal; no process has its other end open yet.
    package init() {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
        // TIOCSPTLCK with 0 unlocks the other end, TIOCGPTN returns its number; Swift imports neither.
        var (locked, number) = (Int32(0), UInt32(0))
        let isUnlocked = ioctl(descriptor, 0x4004_5431, &locked) == 0 && ioctl(descriptor, 0x8004_5430, &number) == 0
        precondition(isUnlocked, "no pseudo-terminal is to be had")
        path = "/dev/pts/\(number)"
    }

    deinit { unplug() }

    /// Closes the far end, as an unplugged device does.
    package func unplug() {
        if isOpen { close(descriptor) }
        isOpen = false
    }

    /// Sends bytes to the computer.
    package func say(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } }
    /// Sends text to the computer.
    package func say(_ text: String) { say(Array(text.utf8)) }

    /// Returns the bytes that the computer has sent, 1024 at most.
    package func hear() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : []
    }
}
