import ArgumentParser
import Foundation
import Session
import SoundFixtures
import Surfaces
import Testing

@testable import proscenium

/// What `run` and `ctl` offer beside the options of the table.
struct RunDoorsTests {
    @Test func everyKeyDoesSomethingOfItsOwn() {
        let keys = SessionTerminal.keys
        #expect(keys.allSatisfy { $0.command != nil })
        #expect(Set(keys.flatMap(\.keys)).count == keys.map(\.keys.count).reduce(0, +))
        #expect(RunCommand.helpMessage(columns: 4000).contains(SessionTerminal.sentence))
    }

    @Test func whatIsTypedIsKnownByAddress() {
        let said = RunCommand.said(
            [
                "run", "--level", "-3", "--yaw-pull=2", "--room", "studio", "--input", "talk=mono,role=direct,level=-6",
                "--input", "b=stereo", "--effect", "reverb=5.1,main=-12,mute=on", "--head", "osc:9000", "--fresh",
            ])
        #expect(said == ["input/main/level", "yaw-pull", "room", "input/talk/level", "input/reverb/mute"])
        #expect(RunCommand.said(["run"]).isEmpty)
    }

    @Test func loudspeakersAreCompleted() {
        func completions(_ words: String...) -> [String] {
            ControlCommand.Set.completions(["proscenium", "ctl"] + words, at: words.count + 1)
        }
        #expect(
            completions("loudspeaker", "").starts(with: ["FL", "FR"]) || completions("loudspeaker", "").contains("TFL"))
        #expect(Set(completions("loudspeaker", "")).count == completions("loudspeaker", "").count)
        #expect(Set(completions("loudspeaker", "FL", "")) == ["mute", "solo", "polarity", "test-noise"])
        #expect(completions("loudspeaker", "FL", "mute", "o") == ["on", "off", "toggle"])
        #expect(completions("l").contains("loudspeaker") && completions("mode", "") == ["off", "fixed", "tracked"])
    }

    @Test func aSurfaceLearnsWhileTheSessionPlays() async throws {
        let (scratch, desk) = (try Scratch(), SessionDesk())
        let surface = OpenSurface(SurfaceMap(), path: scratch("map.json"), learn: [], desk: desk)
        defer { surface.close() }
        func ask(_ command: SurfaceCommand) -> String? { surface.perform(command) }
        #expect(ask(.cancel)?.contains("no address waits") == true)
        #expect(ask(.learn("sideways"))?.contains("no address") == true)
        #expect(ask(.learn("loudspeaker/FL/mute")) == nil && ask(.learn("input/main/level")) == nil)
        #expect(surface.learning == "loudspeaker/FL/mute")
        surface.receive([0x90, 36, 100])
        #expect(surface.learning == "input/main/level")
        let map = try SurfaceMap(text: String(contentsOfFile: scratch("map.json"), encoding: .utf8))
        #expect(map.bindings.map(\.address) == ["loudspeaker/FL/mute"])
        #expect(ask(.cancel) == nil && surface.learning == nil)
        surface.receive([0xE0, 0, 64])
        let after = try SurfaceMap(text: String(contentsOfFile: scratch("map.json"), encoding: .utf8))
        #expect(after.bindings.count == 1)

        let fixed = OpenSurface(SurfaceMap(), path: nil, learn: [], desk: SessionDesk())
        #expect(fixed.perform(.learn("level"))?.contains("no map to write") == true)
        fixed.close()
    }
}
