import AudioIO
import Foundation
import HRTF
import IMU
import Measurement
import Signal
import Stages

extension MachineFacts {
    /// Reads the facts of this machine, except `desktop`. Opens and closes sockets, files and a JACK client; takes a
    /// second or two. `sessions`: names of the user's running sessions.
    package static func found(sessions: [String]) async -> MachineFacts {
        var facts = MachineFacts(set: set())
        facts.sessions = sessions
        facts.server = server()
        facts.hasPipeWiresLibrary = JACKDiagnosis.isPipeWire
        let environment = ProcessInfo.processInfo.environment
        // `pw-jack` names the folder of PipeWire's libjack in LD_LIBRARY_PATH.
        facts.isStartedByPWJack =
            facts.hasPipeWiresLibrary && environment["LD_LIBRARY_PATH", default: ""].contains("pipewire")
        facts.isPipeWireRunning = JACKDiagnosis.pipeWireSocket != nil
        let folders = environment["PATH", default: "/usr/bin:/bin"].split(separator: ":")
        facts.programs = Set(
            Doctor.programs.filter { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } })
        facts.card = CardSearch().found
        facts.isRealTimePermitted = (try? await RealTimeThread.run("proscenium-doctor") { $0 }.get()) ?? false
        facts.lockableBytes = lockableBytes()
        facts.isRoot = geteuid() == 0
        facts.groups = Membership.listed
        facts.hasAudioLimits = Membership.hasRealTimeLimits(group: "audio")
        facts.ownSet = DataFolders.library.userDefault
        facts.busyPorts = Doctor.usualPorts.map(\.port).filter { !isFree($0) }
        facts.devices = devices()
        return facts
    }

    private static func server() -> Result<Server, JACKError> {
        do throws(JACKError) {
            let client = try JACKClient(name: "proscenium-doctor")
            defer { client.close() }
            return .success(
                Server(
                    isPipeWire: client.isPipeWire, sampleRate: client.sampleRate,
                    periodFrames: client.periodFrames, playbackPorts: client.physicalInputCount))
        } catch {
            return .failure(error)
        }
    }

    private static func set() -> Result<PlayedSet, HRTFError> {
        do throws(HRTFError) {
            let (_, report) = try FilterField.load(
                .automatic, sampleRate: .studio, library: DataFolders.library, cache: .standard)
            return .success(
                PlayedSet(
                    name: report.name, path: report.path,
                    isGenerated: report.path.hasSuffix("/HRTF/generated.sofa")))
        } catch {
            return .failure(error)
        }
    }

    private static func lockableBytes() -> UInt64? {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(8), &limit)  // RLIMIT_MEMLOCK
        return limit.rlim_cur == rlim_t.max ? nil : UInt64(limit.rlim_cur)
    }

    /// Whether a port can be bound on this machine's loopback address.
    private static func isFree(_ port: Int) -> Bool {
        let isStream = port == Doctor.panelPort
        let kind = isStream ? SOCK_STREAM : SOCK_DGRAM
        let descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        if isStream {
            // Connections on the port that have ended do not count.
            var one: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        }
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

    private static func devices() -> [Device] {
        let trackers =
            HIDSearch().found.filter(\.isHeadTracker).map { ("hid", $0.path) }
            + SerialSearch().found.map { ("serial", $0) }
        return trackers.map { kind, path in
            var status = stat()
            let group = stat(path, &status) == 0 ? Membership.name(of: status.st_gid) ?? "" : ""
            return Device(
                tracker: "\(kind):\(path)", isOpenable: access(path, R_OK | W_OK) == 0, group: group)
        }
    }
}
