import Desk
import Stages
import Testing

@testable import MPRIS

@Suite struct MediaRequestTests {
    private static let file = NowPlaying(NowPlayingTests.file, duration: 10.25)
    private static let stage = NowPlaying(["client": .word("a"), "playback": .word("playing")], duration: nil)
    private static let begins = SessionCommand.playback(
        .beginInterruption(name: "media-keys", .pause, lease: nil))
    private static let ends: [SessionCommand] = [
        .playback(.endInterruption(name: "media-keys", resumes: true)), .playback(.resume),
    ]

    @Test(arguments: [
        (MediaRequest.next, [SessionCommand.preview(.skip(1))]), (.previous, [.preview(.skip(-1))]),
        (.play, [.preview(.pause(false))]), (.pause, [.preview(.pause(true))]),
        (.playPause, [.preview(.pause(nil))]), (.stop, [.preview(.pause(true)), .preview(.go(to: 0))]),
        (.seek(by: -1_500_000), [.preview(.seek(by: -1.5))]),
        // Beyond the end the next file plays.
        (.seek(by: 6_000_000), [.preview(.skip(1))]),
        (.position(2_500_000, track: "/org/proscenium/track/2"), [.preview(.go(to: 2.5))]),
        // Positions of another track, and outside this one, come too late.
        (.position(2_500_000, track: "/org/proscenium/track/1"), []),
        (.position(-1, track: "/org/proscenium/track/2"), []),
        (.position(10_300_000, track: "/org/proscenium/track/2"), []),
        (.loop("Playlist"), [.preview(.loop(true))]), (.loop("None"), [.preview(.loop(false))]), (.quit, [.quit]),
    ])
    func requestsToAPreviewAreItsCommands(request: MediaRequest, commands: [SessionCommand]) throws {
        #expect(try request.commands(for: Self.file, at: 5) == commands)
    }

    @Test func offsetsOfAnySizeStayWithinTheRangeOfPositions() throws {
        var last = Self.file
        (last.number, last.duration) = (3, nil)
        for (offset, seconds) in [(Int64.min, -1e6), (.max, 1e6)] {
            #expect(try MediaRequest.seek(by: offset).commands(for: last, at: 5) == [.preview(.seek(by: seconds))])
        }
        #expect(try MediaRequest.next.commands(for: last, at: 5).isEmpty)
        #expect(
            try MediaRequest.position(.max, track: last.track).commands(for: last, at: 5).isEmpty)
    }

    @Test func aSessionWithoutFilesIsPausedByAnInterruption() throws {
        var paused = Self.stage
        paused.status = .paused
        for request in [MediaRequest.pause, .playPause, .stop] {
            #expect(try request.commands(for: Self.stage, at: 0) == [Self.begins])
        }
        for request in [MediaRequest.play, .playPause] {
            #expect(try request.commands(for: paused, at: 0) == Self.ends)
        }
        for request in [MediaRequest.next, .previous, .seek(by: 1), .position(0, track: Self.stage.track)] {
            #expect(try request.commands(for: Self.stage, at: 0).isEmpty)
        }
    }

    @Test func theVolumeIsTheMonitorsLevel() throws {
        #expect(
            try MediaRequest.volume(0.5).commands(for: Self.stage, at: 0)
                == [.set(try ParameterChange("monitor-level", ["-18.1"]))])
    }

    @Test func whatCannotBeDoneIsRefusedWithTheReason() {
        #expect(throws: MediaRequest.Refusal(reason: "a volume is a number from 0 to 1")) {
            try MediaRequest.volume(.nan).commands(for: Self.stage, at: 0)
        }
        #expect(throws: MediaRequest.Refusal.self) { try MediaRequest.loop("Track").commands(for: Self.file, at: 0) }
        #expect(throws: MediaRequest.Refusal.self) { try MediaRequest.loop("x").commands(for: Self.file, at: 0) }
        #expect(throws: MediaRequest.Refusal.self) {
            try MediaRequest.loop("Playlist").commands(for: Self.stage, at: 0)
        }
    }
}
