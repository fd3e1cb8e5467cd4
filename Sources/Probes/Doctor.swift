import AudioIO
import Foundation
import HRTF
import Signal
import Stages

/// Checks the machine for all needs of a live session.
package enum Doctor {
    /// UDP ports in common use by trackers and control.
    package static let usualPorts: [(port: Int, use: String)] = [
        (9000, "OSC head trackers"), (9001, "OSC device trackers"), (4242, "opentrack"), (9150, "control"),
    ]

    /// Returns all findings, in the order in which a session needs them. Opens and closes sockets, files and a JACK
    /// client; takes a second or two.
    package static func examine() -> [Finding] {
        [jack()] + realTime() + [hrtf()] + ports() + serial()
    }

    private static func jack() -> Finding {
        do throws(JACKError) {
            let client = try JACKClient(name: "proscenium-doctor")
            defer { client.close() }
            return Finding(
                "jack", .ok,
                "\(client.isPipeWire ? "PipeWire" : "jackd") answers: \(client.sampleRate), period \(client.periodFrames)"
            )
        } catch {
            // The advice in the error's text is given once, as the cure.
            guard case .noServer(let detail) = error else { return Finding("jack", .fault, error.description) }
            return Finding(
                "jack", .fault, "no JACK server is running" + (detail.isEmpty ? "" : " (\(detail))"),
                cure: "start a server: 'jackd -d alsa' or qjackctl; on a PipeWire machine run 'pw-jack proscenium …'")
        }
    }

    private static func realTime() -> [Finding] {
        if geteuid() == 0 { return [Finding("real-time", .ok, "running as root: no limits apply")] }
        var priority = rlimit(), memory = rlimit()
        getrlimit(__rlimit_resource_t(14), &priority)  // RLIMIT_RTPRIO
        getrlimit(__rlimit_resource_t(8), &memory)  // RLIMIT_MEMLOCK
        let cure = "'sudo dpkg-reconfigure -p high jackd2' (answer yes), 'sudo adduser $USER audio', then log in again"
        return [
            priority.rlim_cur >= 10
                ? Finding("real-time", .ok, "priorities up to \(priority.rlim_cur) allowed")
                : Finding("real-time", .warning, "real-time priority is not allowed; dropouts under load", cure: cure),
            memory.rlim_cur >= 256 << 20
                ? Finding("memory-lock", .ok, "memory may be locked")
                : Finding("memory-lock", .warning, "only \(memory.rlim_cur >> 10) KiB may be locked", cure: cure),
        ]
    }

    private static func hrtf() -> Finding {
        do throws(HRTFError) {
            let (_, report) = try FilterField.load(
                .automatic, sampleRate: .studio, library: DataFolders.library, cache: .standard)
            return Finding("hrtf", .ok, "default set: \(report.name) (\(report.path))")
        } catch {
            return Finding(
                "hrtf", .fault, error.description,
                cure: "install Debian's set with 'sudo apt install libmysofa1', or name a file with --hrtf")
        }
    }

    private static func ports() -> [Finding] {
        usualPorts.map { port, use in
            isFree(port)
                ? Finding("port \(port)", .ok, "free (\(use))")
                : Finding(
                    "port \(port)", .warning, "in use (\(use))",
                    cure: "'ss -ulpn sport = :\(port)' names the program; stop it, or use another port")
        }
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func serial() -> [Finding] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
        let devices = names.filter { $0.hasPrefix("ttyUSB") || $0.hasPrefix("ttyACM") }.sorted()
        guard !devices.isEmpty else { return [Finding("serial", .ok, "no serial trackers are plugged in")] }
        return devices.map { device in
            access("/dev/\(device)", R_OK | W_OK) == 0
                ? Finding("serial", .ok, "/dev/\(device) may be opened")
                : Finding(
                    "serial", .warning, "/dev/\(device) may not be opened",
                    cure: "'sudo adduser $USER dialout', then log in again")
        }
    }
}

/// A check of `doctor`: its result and its remedy.
package struct Finding: Sendable, Codable {
    /// Result of a check.
    package enum State: String, Sendable, Codable {
        /// As it should be.
        case ok
        /// Works with restrictions.
        case warning
        /// Prevents the use.
        case fault
    }

    /// Subject of the check: `jack`, `real-time`, …
    package let subject: String
    /// Result of the check.
    package let state: State
    /// Observation, in words.
    package let observation: String
    /// Remedy; nil without one.
    package let cure: String?

    init(_ subject: String, _ state: State, _ observation: String, cure: String? = nil) {
        self.subject = subject
        self.state = state
        self.observation = observation
        self.cure = cure
    }
}
