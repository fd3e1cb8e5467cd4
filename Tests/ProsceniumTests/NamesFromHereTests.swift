import Control
import Foundation
import Session
import SoundFixtures
import Synchronization
import Testing

@testable import proscenium

/// `ctl` typed in a folder in which files have the names of what is built in.
@Suite(.timeLimit(.minutes(10))) struct NamesFromHereTests {
    @Test func `What ctl sends of a name does not depend on the working folder, and a file has its whole path`()
        async throws
    {
        let here = try Scratch()
        for name in ["studio", "kemar", "7.1", "none", "default"] {
            try FileManager.default.createDirectory(atPath: here(name), withIntermediateDirectories: true)
        }
        try Data().write(to: URL(fileURLWithPath: here("mine.txt")))
        let asked = Mutex<[ParameterValue]>([])
        let desk = SessionDesk()
        desk.commands.serve { command in
            if case .set(let change) = command { asked.withLock { $0.append(change.value) } }
            return .done
        }
        let server = try ControlServer(at: ControlAddress(port: 0), desk: desk)
        for (name, word, sent) in [
            ("room-name", "studio", "studio"), ("room-name", "none", "none"), ("hrtf", "kemar", "kemar"),
            ("hrtf", "default", "default"), ("layout", "7.1", "7.1"), ("headphone-eq-file", "none", "none"),
            ("hrtf", "./kemar", here("kemar")), ("room-name", "./studio", here("studio")),
            ("headphone-eq-file", "mine.txt", here("mine.txt")), ("room-name", "mine.txt", here("mine.txt")),
        ] {
            let run = try Run(["ctl", name, word, "--port", "\(server.address.port)"], in: here.path)
            #expect(run.status == 0, "\(name) \(word): \(run.complaints)")
            #expect(asked.withLock { $0.last } == .word(sent), "\(name) \(word)")
        }
        await server.stop()
    }
}
