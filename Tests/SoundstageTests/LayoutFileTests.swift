import Signal
import Testing

@testable import Soundstage

@Suite struct LayoutFileTests {
    private func symbols(mask: UInt32?, _ count: Int, order: ChannelOrder = .wave) throws -> String {
        try Layout.forFile(channelMask: mask, channelCount: count, order: order).loudspeakers.map(\.symbol)
            .joined(separator: " ")
    }

    @Test func everyNamedLayoutIsKnownAgainByItsMask() throws {
        for name in Layout.names {
            let layout = try Layout.named(name)
            let mask = layout.loudspeakers.reduce(UInt32(0)) { $0 | ($1.waveMask ?? 0) }
            let found = try Layout.forFile(channelMask: mask, channelCount: layout.channelCount)
            #expect(found.name == name)
            #expect(found == layout)
        }
    }

    @Test func fivePointOneWithBackSurroundsIsFivePointOne() throws {
        let layout = try Layout.forFile(channelMask: 0x3F, channelCount: 6)
        #expect(layout.name == "5.1")
        #expect(layout.loudspeakers[4].azimuthDegrees == 110)
    }

    @Test func setsWithoutANameStandWhereTheirPositionsAre() throws {
        #expect(try symbols(mask: 0x33, 4) == "FL FR BL BR")
        let surround = try Layout.forFile(channelMask: 0x107, channelCount: 4)
        #expect(surround.loudspeakers.last?.azimuthDegrees == 180)
        let old = try Layout.forFile(channelMask: 0xFF, channelCount: 8)
        #expect(old.loudspeakers[6].symbol == "FLC" && old.loudspeakers[6].azimuthDegrees == 15)
    }

    @Test func aFileKeepsItsOwnChannelOrder() throws {
        let layout = try Layout.forFile(channelPositions: [4, 1, 2, 0x200, 0x400, 8], channelCount: 6)
        #expect(layout.name == "5.1")
        #expect(layout.loudspeakers.map(\.symbol) == ["FC", "FL", "FR", "SL", "SR", "LFE"])
    }

    @Test func withoutAMaskTheChannelCountDecidesWhereItCan() throws {
        #expect(try symbols(mask: nil, 1) == "M")
        #expect(try symbols(mask: nil, 6, order: .film) == "FL FC FR SL SR LFE")
        #expect(try symbols(mask: nil, 5, order: .film) == "FL FC FR SL SR")
        for (count, layouts) in [(4, ["quad", "3.1", "ambi1"]), (7, ["6.1", "7.0"]), (8, ["7.1", "5.1.2"])] {
            #expect(throws: SoundstageError.ambiguousChannels(count, layouts: layouts)) {
                try symbols(mask: nil, count)
            }
        }
        #expect(throws: SoundstageError.ambiguousChannels(10, layouts: ["5.1.4", "7.1.2"])) {
            try symbols(mask: nil, 10)
        }
        #expect(throws: SoundstageError.noLayoutForChannels(13)) { try symbols(mask: nil, 13) }
        #expect(throws: SoundstageError.unknownPosition(channel: 2, bit: 0x8000_0000)) {
            try symbols(mask: 0x8000_0001, 2)
        }
    }

    @Test func aLayoutFollowsTheFileOrSaysWhyItCannot() throws {
        let layout = try Layout.named("5.1").arranged(as: [4, 1, 2, 0x10, 0x20, 8])
        #expect(layout.loudspeakers.map(\.symbol) == ["FC", "FL", "FR", "SL", "SR", "LFE"])
        #expect(
            throws: SoundstageError.fileDoesNotFit(
                layout: "5.1", expected: ["FL", "FR", "FC", "LFE", "SL", "SR"], found: ["FL", "FR"])
        ) { try Layout.named("5.1").arranged(as: [1, 2]) }
    }
}
