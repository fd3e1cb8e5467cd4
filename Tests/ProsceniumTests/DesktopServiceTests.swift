import Desktop
import Foundation
import SoundFixtures
import Testing

@testable import proscenium

/// Reasons why the service of the desktop's session has ended at its start.
@Suite struct DesktopServiceTests {
    private static func record(_ service: DesktopRecord.Kind) -> DesktopRecord {
        DesktopRecord(layout: "7.1", output: DesktopOutput(name: "a", description: "A"), service: service)
    }

    /// Returns a systemd that says that the unit has failed.
    private static func unit(in folder: Scratch) throws -> SystemdUnit {
        try FileManager.default.createDirectory(atPath: folder("systemd/private"), withIntermediateDirectories: true)
        try Data("#!/bin/sh\nexit 0\n".utf8).write(to: URL(fileURLWithPath: folder("systemctl")))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder("systemctl"))
        return try #require(SystemdUnit(["XDG_RUNTIME_DIR": folder.path, "PATH": folder.path, "HOME": folder.path]))
    }

    /// In an earlier version systemd was asked, which knows nothing of the process.
    @Test func `A process of its own is judged by its messages, also where a systemd runs`() throws {
        let folder = try Scratch()
        let (unit, process) = (try Self.unit(in: folder), OwnProcess(in: folder.path))
        #expect(DesktopService.failure(of: Self.record(.process), unit: unit, process: process) == nil)
        try Data("4194000\n".utf8).write(to: URL(fileURLWithPath: folder("desktop.pid")))
        #expect(
            DesktopService.failure(of: Self.record(.process), unit: unit, process: process)
                == "the session ended at once")
        try Data("a set is read\nproscenium: there is no set 'x'\n".utf8)
            .write(to: URL(fileURLWithPath: folder("desktop.log")))
        #expect(
            DesktopService.failure(of: Self.record(.process), unit: unit, process: process) == "there is no set 'x'")
        let ofUnit = DesktopService.failure(of: Self.record(.systemd), unit: unit, process: process)
        #expect(ofUnit?.contains("journalctl --user -u \(SystemdUnit.name)") == true)
        #expect(DesktopService.failure(of: Self.record(.systemd), unit: nil, process: process) == nil)
    }
}
