import Control
import Desktop
import Foundation
import Gate
import IMU
import SavedSessions
import SoundFixtures
import Testing

@testable import proscenium

/// Relative paths in the variables of the XDG specification, which are invalid.
@Suite struct RelativeFolderTests {
    /// In a process of its own, because the environment and the working folder are the process's.
    @Test func `A relative path in a variable is no place for files`() async throws {
        let folder = try Scratch()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            try FileManager.default.createDirectory(atPath: path + "/here", withIntermediateDirectories: true)
            #expect(chdir(path) == 0)
            setenv("HOME", "/home/ear", 1)
            for variable in BaseFolder.allCases { setenv(variable.rawValue, "here", 1) }
            #expect(ConfigFile.path == "/home/ear/.config/proscenium/config")
            #expect(SessionDocument.stateFolder == "/home/ear/.local/state/proscenium")
            #expect(TrackerMemory().path == "/home/ear/.local/state/proscenium/trackers.json")
            #expect(SessionSockets.folder == "/tmp/proscenium-\(getuid())")
        }
        #expect(folder.contents == ["here"])
    }

    @Test func `A unit of systemd is not written below the working folder`() throws {
        let folder = try Scratch()
        try FileManager.default.createDirectory(atPath: folder("systemd"), withIntermediateDirectories: true)
        for name in ["systemd/private", "systemctl"] {
            #expect(FileManager.default.createFile(atPath: folder(name), contents: Data()))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder("systemctl"))
        let unit = SystemdUnit([
            "XDG_RUNTIME_DIR": folder.path, "PATH": folder.path, "XDG_CONFIG_HOME": "config", "HOME": "/home/ear",
        ])
        #expect(unit?.path == "/home/ear/.config/systemd/user/\(SystemdUnit.name)")
    }
}
