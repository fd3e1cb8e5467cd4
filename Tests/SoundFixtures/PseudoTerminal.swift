import Glibc

/// A terminal or serial line that has no hardware, from its far end: the tracker's, or that of the user who types.
package final class PseudoTerminal: @unchecked Sendable {
    // Sound as @unchecked: a constant descriptor and path; closed once, by its only owner.
    private let descriptor: Int32
    /// The computer's end.
    package let path: String
    private var isOpen = true

    /// Opens one; no process has its other end yet.
    package init() {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
        // TIOCSPTLCK with 0 unlocks the other end, TIOCGPTN has its number; Swift sees neither.
        var (locked, number) = (Int32(0), UInt32(0))
        let isUnlocked = ioctl(descriptor, 0x4004_5431, &locked) == 0 && ioctl(descriptor, 0x8004_5430, &number) == 0
        precondition(isUnlocked, "no pseudo-terminal is to be had")
        path = "/dev/pts/\(number)"
    }

    deinit { unplug() }

    /// The device goes away.
    package func unplug() {
        if isOpen { close(descriptor) }
        isOpen = false
    }

    /// Sends bytes to the computer.
    package func say(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } }
    /// Sends text to the computer.
    package func say(_ text: String) { say(Array(text.utf8)) }

    /// What the computer has sent.
    package func hear() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : []
    }
}
