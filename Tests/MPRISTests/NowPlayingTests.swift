import Desk
import Stages
import Testing

@testable import MPRIS

@Suite struct NowPlayingTests {
    static let file: SessionValues = [
        "client": .word("proscenium"), "layout": .word("5.1"), "playback": .word("unconnected"),
        "monitor-level": .number(-60), "player/file": .word("/music/Second tune #2.flac"),
        "player/number": .number(2), "player/count": .number(3), "player/paused": .isOn(false),
        "player/loops": .isOn(false), "player/duration": .number(10),
    ]

    @Test func aFileHasTitleTrackAddressAndExactLength() {
        let now = NowPlaying(Self.file, duration: 10.25)
        #expect(now.title == "Second tune #2")
        #expect(now.url == "file:///music/Second%20tune%20%232.flac")
        #expect(now.track == "/org/proscenium/track/2")
        #expect(now.duration == 10.25)
        #expect(now.status == .playing && now.hasNext && now.isFile)
    }

    @Test(arguments: [("held", "off"), ("paused", "off"), ("playing", "on")])
    func aFileThatIsHeldInterruptedOrPausedIsPaused(playback: String, paused: String) {
        var values = Self.file
        (values["playback"], values["player/paused"]) = (.word(playback), .word(paused))
        #expect(NowPlaying(values, duration: 1).status == .paused)
    }

    @Test func aSessionWithoutFilesShowsItsLayoutAndItsRoute() {
        let values: SessionValues = [
            "client": .word("studio"), "layout": .word("/layouts/dome.json"), "playback": .word("playing"),
        ]
        let now = NowPlaying(values, duration: nil)
        #expect(now.title == "studio: dome")
        #expect(NowPlaying(values.merging(["layout": .word("7.1.4")]) { $1 }, duration: nil).title == "studio: 7.1.4")
        #expect(now.status == .playing && !now.isFile && !now.hasNext && now.url.isEmpty && now.duration == nil)
        #expect(NowPlaying(values.merging(["playback": .word("unconnected")]) { $1 }, duration: nil).status == .stopped)
        #expect(NowPlaying([:], duration: nil) == NowPlaying())
    }

    @Test func volumeIsTheCubeRootOfTheGain() {
        func volume(_ level: Double) -> Double { NowPlaying(["monitor-level": .number(level)], duration: nil).volume }
        #expect(volume(0) == 1)
        #expect(abs(volume(-18) - 0.501187) < 1e-6)
        #expect(volume(-120) == 0)
        #expect(NowPlaying.level(ofVolume: 0.5) == -18.1)
        #expect(NowPlaying.level(ofVolume: 0) == -120)
        #expect(NowPlaying.level(ofVolume: -1) == -120)
        // A client that takes 100 as the full volume sets 0 dB at most.
        #expect(NowPlaying.level(ofVolume: 100) == 0)
        #expect(NowPlaying.level(ofVolume: 1e-300) == -120)
        #expect(NowPlaying.level(ofVolume: .nan) == nil && NowPlaying.level(ofVolume: .infinity) == nil)
    }
}
