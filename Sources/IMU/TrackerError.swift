import Glibc

/// Error in a tracker's specification, or in opening the tracker. The description names the remedy.
package enum TrackerError: Error, Equatable, Sendable {
    /// The kind before the colon is unknown.
    case unknownTracker(String)
    /// The port is missing, or is not a number in 1…65535.
    case badPort(String, in: String)
    /// The address is not numeric.
    case badAddress(String)
    /// `file:` without a path.
    case missingPath
    /// `serial:` without a path.
    case missingSerialLine
    /// `midi:` without a pattern.
    case missingMIDIPort
    /// `hid:` without a path.
    case missingHIDDevice
    /// The transport does not support this format.
    case unknownFormat(String, transport: String, known: [String])
    /// The baud rate is not a number in 50…12 000 000.
    case badBaud(String, in: String)
    /// A part after a comma is superfluous, unknown or has an illegal value.
    case badOption(String)
    /// Another program has bound this address and port.
    case portInUse(address: String, port: Int)
    /// Only the administrator may bind the port.
    case portForbidden(address: String, port: Int)
    /// This machine does not have the address.
    case addressNotHere(String)
    /// The system refused to bind the port, with errno.
    case cannotListen(address: String, port: Int, errno: Int32)
    /// `serial:auto`, but no serial line was found.
    case noSerialLine(searched: [String])
    /// A serial line could not be opened: the errno, and the serial lines found.
    case serialLine(path: String, baud: Int, errno: Int32, found: [String])
    /// `hid:auto`, but no HID device is a head tracker; the HID devices found.
    case noHIDTracker(found: [String])
    /// A HID device could not be opened, queried or set up; `step` is this verb. With errno.
    case hidDevice(path: String, step: String, errno: Int32)
    /// The HID device is not a head tracker.
    case notAHeadTracker(path: String)
    /// MIDI cannot be received, with the reason.
    case midi(String)
    /// A motion log or another recording could not be read.
    case unreadable(path: String, reason: String)
    /// A motion log or another recording is faulty.
    case badLog(path: String, OrientationLogError)
    /// A recording of an IMU is faulty; lines are counted from 1.
    case badRecording(path: String, line: Int, reason: String)
    /// Two recordings are played together, but one ends before the other begins; times in seconds.
    case recordingsApart(earlier: String, ends: Double, later: String, begins: Double)
    /// The file of stored calibrations could not be written.
    case memoryNotWritten(path: String, reason: String)
    /// A thread for the tracker could not be started, with the reason.
    case noThread(String)

    /// Origin of an error.
    package enum Fault: Sendable {
        /// The command line: other arguments avoid the error.
        case usage
        /// A file.
        case input
        /// The machine, the network or a device.
        case environment
    }

    /// Origin of the error.
    package var fault: Fault {
        switch self {
        case .unknownTracker, .badPort, .badAddress, .missingPath, .missingSerialLine, .missingMIDIPort,
            .missingHIDDevice, .unknownFormat, .badBaud, .badOption:
            .usage
        case .unreadable, .badLog, .badRecording, .recordingsApart: .input
        default: .environment
        }
    }

    /// Returns the error for a port that could not be bound.
    static func listening(on address: String, port: Int, errno: Int32) -> TrackerError {
        switch errno {
        case EADDRINUSE: .portInUse(address: address, port: port)
        case EACCES, EPERM: .portForbidden(address: address, port: port)
        case EADDRNOTAVAIL: .addressNotHere(address)
        case EAFNOSUPPORT: .badAddress(address)
        default: .cannotListen(address: address, port: port, errno: errno)
        }
    }
}

extension TrackerError: CustomStringConvertible {
    /// The fault, the tracker concerned, and the remedy.
    package var description: String {
        switch self {
        case .unknownTracker(let text):
            "unknown tracker '\(text)'; known are \(TrackerSpecification.forms.joined(separator: ", "))"
        case .badPort(let port, let text):
            "'\(port)' in '\(text)' is not a port; give a number from 1 to 65535, for example osc:9000"
        case .badAddress(let address):
            "'\(address)' is not a numeric address; give for example 127.0.0.1, 0.0.0.0 (all networks) or [::1]"
        case .missingPath: "file: needs a path, for example file:motion.csv"
        case .missingSerialLine:
            "serial: needs a path, for example serial:/dev/ttyACM0, or serial:auto for the first that is plugged in"
        case .missingMIDIPort: "midi: needs part of a MIDI port's name, for example midi:'Head Tracker'"
        case .missingHIDDevice:
            "hid: needs a path, for example hid:/dev/hidraw0, or hid:auto for the first head tracker"
        case .unknownFormat(let name, let transport, let known):
            "'\(name)' is not a format for \(transport):; its formats are \(known.joined(separator: ", "))"
        case .badBaud(let baud, let text):
            "'\(baud)' in '\(text)' is not a speed; give bits per second, for example 115200"
        case .badOption(let option):
            "unknown tracker option '\(option)'; known are \(TrackerSpecification.options.joined(separator: ", "))"
        case .portInUse(let address, let port):
            "port \(port) on \(address) is in use; end the other program or choose another port "
                + "(`ss -ulpn 'sport = :\(port)'` shows that program)"
        case .portForbidden(let address, let port):
            "port \(port) on \(address) is reserved for the administrator; choose one above 1023"
        case .addressNotHere(let address): "this machine has no address \(address); `ip address` lists its addresses"
        case .cannotListen(let address, let port, let errno):
            "cannot listen on \(address) port \(port) (\(Self.words(errno)))"
        case .noSerialLine(let searched):
            "no serial line is plugged in (searched \(searched.joined(separator: ", "))); plug the tracker in, or name "
                + "its path: serial:PATH"
        case .serialLine(let path, let baud, let errno, let found): Self.serialLine(path, baud, errno, found)
        case .noHIDTracker(let found):
            "no HID device is a head tracker; "
                + (found.isEmpty ? "no HID device was found" : "found: \(found.joined(separator: ", "))")
                + ". Connect headphones that have one (by Bluetooth), then try again"
        case .hidDevice(let path, let step, let errno):
            "cannot \(step) \(path): \(Self.words(errno))"
                + (errno == EACCES
                    ? ". Give yourself access, for example with a udev rule: "
                        + "KERNEL==\"hidraw*\", MODE=\"0660\", TAG+=\"uaccess\"" : "")
        case .notAHeadTracker(let path):
            "\(path) is no head tracker (its report descriptor has no usage 0x20:0xE1); `proscenium tracker list` shows "
                + "the head trackers"
        case .midi(let words), .noThread(let words): words
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .badLog(let path, let error): "\(path): \(error)"
        case .badRecording(let path, let line, let reason): "\(path): line \(line): \(reason)"
        case .recordingsApart(let earlier, let ends, let later, let begins):
            "\(earlier) ends at \(ends) s, before \(later) begins at \(begins) s; recordings of head and device share one "
                + "time line: give both times of one clock"
        case .memoryNotWritten(let path, let reason):
            "cannot write \(path): \(reason); the tracker's calibration is not stored"
        }
    }

    private static func serialLine(_ path: String, _ baud: Int, _ errno: Int32, _ found: [String]) -> String {
        let known = found.isEmpty ? "none is plugged in" : "found: \(found.joined(separator: ", "))"
        return switch errno {
        case ENOENT, ENXIO, ENODEV: "there is no serial line \(path); \(known)"
        case EACCES, EPERM:
            "no access to \(path); become a member of the group that owns it (Debian: sudo adduser $USER dialout, then "
                + "log in again)"
        case EBUSY: "\(path) is in use by another program; end it (`fuser -v \(path)` shows which)"
        case ENOTTY: "\(path) is not a serial line"
        case EINVAL: "\(path) does not support \(baud) bits per second; choose a supported speed"
        default: "cannot open \(path): \(words(errno))"
        }
    }

    private static func words(_ errno: Int32) -> String { String(cString: strerror(errno)) }
}
