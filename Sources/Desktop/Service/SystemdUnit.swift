import Foundation
import Gate
import Loading

/// The user's unit of systemd that runs the desktop's session, now and after each login until `desktop off`.
package struct SystemdUnit: Sendable {
    /// Name of the unit.
    package static let name = "proscenium-desktop.service"

    /// Folder of the user's own units.
    private let folder: String
    /// Path of `systemctl`.
    private let control: String

    /// Finds the user's systemd; nil if none runs for this user, or if `systemctl` is not on the search path.
    package init?(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        let runtime = BaseFolder.runtime.named(in: environment) ?? "/run/user/\(getuid())"
        guard FileManager.default.fileExists(atPath: runtime + "/systemd/private"),
            let control = PipeWireTools.find("systemctl", on: environment["PATH"] ?? "/usr/bin:/bin")
        else { return nil }
        self.control = control
        let config = BaseFolder.config.named(in: environment) ?? (environment["HOME"] ?? "/tmp") + "/.config"
        folder = config + "/systemd/user"
    }

    /// Path of the unit's file.
    package var path: String { folder + "/" + Self.name }

    /// Returns the text of a unit that runs a command in the folder `place`, to which the command's relative paths
    /// refer.
    package static func text(running words: [String], in place: String) -> String {
        """
        # Written by 'proscenium desktop on', removed by 'proscenium desktop off'.
        [Unit]
        Description=Proscenium, a stage for the desktop's sound
        After=pipewire.service wireplumber.service

        [Service]
        Type=notify
        NotifyAccess=main
        WorkingDirectory=-\(path(place))
        ExecStart=\(words.map(quoted).joined(separator: " "))
        Restart=on-failure
        RestartSec=1
        # Wrong usage and wrong files are not mended by another attempt.
        RestartPreventExitStatus=1 2
        SuccessExitStatus=130
        WatchdogSec=60
        TimeoutStartSec=300
        TimeoutStopSec=10
        LimitRTPRIO=95
        LimitMEMLOCK=infinity

        [Install]
        WantedBy=default.target

        """
    }

    /// Returns a word in systemd's notation: in quotes, with special characters escaped, and `%` and `$` doubled.
    static func quoted(_ word: String) -> String {
        var text = ""
        for letter in word {
            switch letter {
            case "\\", "\"": text += "\\\(letter)"
            case "%": text += "%%"
            case "$": text += "$$"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            default: text.append(letter)
            }
        }
        return "\"\(text)\""
    }

    /// Returns a path in systemd's notation for `WorkingDirectory`, which takes no quotes.
    private static func path(_ path: String) -> String { path.replacingOccurrences(of: "%", with: "%%") }

    /// Whether the unit is active.
    package var isActive: Bool { ask("is-active", Self.name) }

    /// Whether the unit has ended with an error, and is not started again.
    package var hasFailed: Bool { ask("is-failed", Self.name) }

    /// Writes the unit, and starts it now and at each login.
    package func begin(running words: [String], in place: String) throws(SessionError) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(Self.text(running: words, in: place).utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw SessionError(.environment, "\(path) cannot be written: \(error.localizedDescription)")
        }
        guard ask("daemon-reload"), ask("enable", Self.name), ask("--no-block", "restart", Self.name) else {
            throw SessionError(
                .environment,
                "systemd does not start the service; this shows the reason: systemctl --user status \(Self.name)")
        }
    }

    /// Stops the unit and removes it. Has no effect if the unit's file does not exist.
    package func end() {
        guard FileManager.default.fileExists(atPath: path) else { return }
        _ = ask("disable", "--now", Self.name)
        unlink(path)
        _ = ask("daemon-reload")
        _ = ask("reset-failed", Self.name)
    }

    private func ask(_ words: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: control)
        process.arguments = ["--user", "--quiet"] + words
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
