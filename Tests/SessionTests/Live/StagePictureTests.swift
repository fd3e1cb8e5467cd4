import Desk
import Loading
import PluginHost
import Racks
import Stages
import Testing

@testable import Session

/// A session's picture of its stage, and of plugins.
@Suite(.timeLimit(.minutes(10))) struct StagePictureTests {
    private func picture(_ rig: LiveRig) async throws -> StagePicture {
        guard case .picture(let picture) = await rig.live.perform(.picture) else {
            throw SessionError(.input, "the session returns no picture")
        }
        return picture
    }

    @Test func loudspeakersStandWhereTheLayoutHasThem() async throws {
        let rig = try await LiveRig { $0.stage.layout = "5.1" }
        let picture = try await picture(rig)
        let main = try #require(picture.inputs.first)
        #expect(picture.inputs.count == 1 && main.name == "main" && main.layout == "5.1" && !main.isEffect)
        #expect(main.loudspeakers.map(\.name) == ["FL", "FR", "FC", "LFE", "SL", "SR"])
        #expect(main.loudspeakers.map(\.azimuth) == [30, -30, 0, 0, 110, -110])
        #expect(main.loudspeakers.map(\.isLowFrequency) == [false, false, false, true, false, false])
        #expect(main.loudspeakers.map(\.meter) == [0, 1, 2, 3, 4, 5] && main.meters == [0, 1, 2, 3, 4, 5])
        #expect(
            picture.choices["layout"]?.contains("7.1.4") == true
                && picture.choices["room-name"]?.contains("hall") == true)
        #expect(picture.choices["hrtf"]?.first == "default")
        #expect(picture.choices["headphone-eq-file"]?.first == "none")
        try await rig.live.end()
    }

    @Test func aSoundFieldHasMetersAndNoLoudspeakers() async throws {
        let rig = try await LiveRig { $0.stage.layout = "ambi1" }
        let field = try #require(try await picture(rig).inputs.last)
        #expect(field.loudspeakers.isEmpty && field.meters == [0, 1, 2, 3])
        try await rig.live.end()
    }

    @Test func aBlindComparisonHidesThePictureAndThePlugins() async throws {
        let rig = try await LiveRig { $0.stage.layout = "5.1" }
        try await rig.patch(inputs: ["FL", "FR", "FC", "LFE", "SL", "SR"])
        rig.play(channels: 6)
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("layout", "stereo"))
        await rig.done(try .set("abx", "ab"))
        #expect(try await picture(rig).inputs.isEmpty)
        #expect(await rig.refusal(of: .plugin(.about("amp"))) != nil)
        try await rig.live.end()
    }

    @Test func aQuestionAboutAnUnknownPluginIsRefusedWithItsName() async throws {
        let rig = try await LiveRig {
            $0.stage.shelf = PluginShelf(backend: $0.stage.shelf.backend) { identifier throws(PluginError) in
                throw .unknown(identifier: identifier, near: [])
            }
        }
        #expect(await rig.refusal(of: .plugin(.describe("urn:none")))?.contains("urn:none") == true)
        #expect(await rig.refusal(of: .plugin(.about("amp")))?.contains("no plugin 'amp'") == true)
        try await rig.live.end()
    }
}
