import Geometry
import Testing

@testable import Soundstage

@Suite struct AmbisonicFormatTests {
    @Test(arguments: 1...7) func soundFieldsAreLayoutsByName(_ order: Int) throws {
        let layout = try Layout.named("ambi\(order)")
        #expect(layout.channelCount == (order + 1) * (order + 1))
        #expect(layout.loudspeakers.isEmpty && layout.ambisonics?.convention == .sn3d)
        #expect(layout.channelNames.map(\.symbol) == (0..<layout.channelCount).map { "ACN\($0)" })
        #expect(Layout.names(withChannels: layout.channelCount).last == layout.name)
    }

    @Test func furseMalhamChannelsReachOneAtMostAndWHalfItsPower() throws {
        let format = try AmbisonicFormat(order: 3, convention: .fuma)
        let names = (0..<16).map { format.name(ofChannel: $0).symbol }
        #expect(names.joined() == "WXYZRSTUVKLMNOPQ")
        #expect(Set((0..<16).map { format.place(ofChannel: $0).acn }) == Set(0..<16))
        var largest = [Double](repeating: 0, count: 16)
        for direction in RingGrid(stepDegrees: 1).directions(in: Stage.self) {
            let harmonics = SphericalHarmonics.values(order: 3, direction)
            for channel in 0..<16 {
                let (acn, gain) = format.place(ofChannel: channel)
                largest[channel] = max(largest[channel], abs(harmonics[acn] / gain))
            }
        }
        #expect(abs(largest[0] - 0.5.squareRoot()) < 1e-12)
        for channel in 1..<16 { #expect(abs(largest[channel] - 1) < 1e-3, "\(names[channel])") }
        // Channel Y has its maximum at the left.
        let left = SphericalHarmonics.values(order: 3, Direction<Stage>(azimuthDegrees: 90, elevationDegrees: 0))
        #expect(abs(left[format.place(ofChannel: 2).acn] - 1) < 1e-12)
    }

    @Test func n3dIsLouderByTheDegree() throws {
        let format = try AmbisonicFormat(order: 2, convention: .n3d)
        #expect(format.place(ofChannel: 0).gain == 1)
        #expect(format.place(ofChannel: 3).gain == 1 / 3.0.squareRoot())
        #expect(format.place(ofChannel: 8) == (8, 1 / 5.0.squareRoot()))
    }

    @Test func whatThereIsNotIsRefusedInWords() {
        #expect(throws: SoundstageError.noFurseMalham(order: 4)) {
            try AmbisonicFormat(order: 4, convention: .fuma)
        }
        #expect("\(SoundstageError.noFurseMalham(order: 4))".contains("--ambisonics sn3d"))
        #expect(throws: SoundstageError.unknownLayout("ambi8", known: Layout.allNames)) { try Layout.named("ambi8") }
        #expect(throws: SoundstageError.unknownLayout("ambi0", known: Layout.allNames)) { try Layout.named("ambi0") }
    }

    @Test func aFileThatCouldBeASoundFieldIsNotGuessedAt() {
        #expect(throws: SoundstageError.ambiguousChannels(16, layouts: ["9.1.6", "ambi3"])) {
            try Layout.forFile(channelPositions: nil, channelCount: 16)
        }
        #expect(throws: SoundstageError.ambiguousChannels(4, layouts: ["quad", "3.1", "ambi1"])) {
            try Layout.forFile(channelPositions: nil, channelCount: 4)
        }
    }
}
