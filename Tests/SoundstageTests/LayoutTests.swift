import Geometry
import Signal
import Testing

@testable import Soundstage

@Suite struct LayoutTests {
    @Test(arguments: [
        ("mono", 1), ("stereo", 2), ("lcr", 3), ("quad", 4), ("3.1", 4), ("5.0", 5), ("5.1", 6), ("6.1", 7), ("7.0", 7),
        ("7.1", 8),
        ("5.1.2", 8), ("5.1.4", 10), ("7.1.2", 10), ("7.1.4", 12), ("9.1.6", 16),
    ])
    func aNamedLayoutHasTheChannelsItsNameCounts(name: String, count: Int) throws {
        for angles in Layout.Angles.allCases {
            let layout = try Layout.named(name, angles: angles)
            #expect(layout.channelCount == count)
            #expect(Set(layout.loudspeakers.map(\.symbol)).count == count)
            let masks = layout.loudspeakers.compactMap(\.waveMask)
            #expect(masks == masks.sorted(), "channels are in WAVE order")
            #expect(layout.loudspeakers.filter(\.isLowFrequency).count == (name.contains(".1") ? 1 : 0))
        }
    }

    @Test func everyLayoutIsMirrorSymmetric() throws {
        for name in Layout.names {
            for angles in Layout.Angles.allCases {
                let places = try Layout.named(name, angles: angles).loudspeakers.map {
                    SIMD2($0.azimuthDegrees, $0.elevationDegrees)
                }
                for place in places where abs(place.x) < 180 {
                    #expect(places.contains(SIMD2(-place.x, place.y)), "\(name) \(place)")
                }
            }
        }
    }

    @Test func anglesAreThoseOfTheDocuments() throws {
        func place(_ layout: String, _ symbol: String, _ angles: Layout.Angles = .itu) throws -> SIMD2<Double> {
            let found = try Layout.named(layout, angles: angles).loudspeakers.first { $0.symbol == symbol }
            let loudspeaker = try #require(found)
            return SIMD2(loudspeaker.azimuthDegrees, loudspeaker.elevationDegrees)
        }
        #expect(try place("5.1", "SL") == SIMD2(110, 0))
        #expect(try place("6.1", "SL") == SIMD2(110, 0) && place("6.1", "BC") == SIMD2(180, 0))
        #expect(try place("quad", "FL") == SIMD2(45, 0) && place("quad", "BR") == SIMD2(-135, 0))
        #expect(try place("7.0", "BL") == SIMD2(135, 0) && place("5.0", "SR") == SIMD2(-110, 0))
        #expect(try place("7.1.4", "SL") == SIMD2(90, 0))
        #expect(try place("7.1.4", "BR") == SIMD2(-135, 0))
        #expect(try place("7.1.4", "TFL") == SIMD2(45, 30))
        #expect(try place("7.1.4", "TFL", .dolby) == SIMD2(45, 45))
        #expect(try place("5.1.4", "TBL") == SIMD2(110, 30))
        #expect(try place("5.1.4", "TBL", .dolby) == SIMD2(135, 45))
        #expect(try place("5.1.2", "TFR", .dolby) == SIMD2(-80, 45))
        #expect(try place("9.1.6", "FWL") == SIMD2(60, 0))
        #expect(try place("9.1.6", "TSR") == SIMD2(-90, 30))
    }

    @Test func leftIsPositiveInTheStageFrame() throws {
        let stereo = try Layout.named("stereo")
        #expect(stereo.loudspeakers[0].direction.unit.y > 0.49)
        #expect(stereo.loudspeakers[1].direction.unit.y < -0.49)
    }

    @Test func anUnknownLayoutNamesTheKnownOnes() {
        #expect(throws: SoundstageError.unknownLayout("6.2", known: Layout.allNames)) { try Layout.named("6.2") }
        #expect("\(SoundstageError.unknownLayout("6.2", known: Layout.allNames))".contains("7.1.4, 9.1.6"))
    }

    @Test func ordersArePermutationsAsTheirUsersWriteThem() throws {
        let bed = try Layout.named("7.1.4")
        func symbols(_ order: ChannelOrder) -> String {
            bed.ordered(order).loudspeakers.map(\.symbol).joined(separator: " ")
        }
        #expect(symbols(.wave) == "FL FR FC LFE BL BR SL SR TFL TFR TBL TBR")
        #expect(symbols(.smpte) == "FL FR FC LFE SL SR BL BR TFL TFR TBL TBR")
        #expect(symbols(.film) == "FL FC FR SL SR BL BR LFE TFL TFR TBL TBR")
        let wide = try Layout.named("9.1.6").ordered(.film).loudspeakers.map(\.symbol).joined(separator: " ")
        #expect(wide == "FL FC FR FWL FWR SL SR BL BR LFE TFL TFR TSL TSR TBL TBR")
        #expect(bed.ordered(.film).ordered(.wave) == bed)
    }

    @Test func aDirectChannelReachesTheEarsByItsLateralPosition() {
        func gains(_ azimuth: Double, lfe: Bool = false) -> (left: Float, right: Float) {
            Loudspeaker(symbol: "x", azimuthDegrees: azimuth, motion: .direct, isLowFrequency: lfe).earGains
        }
        #expect(gains(90).left == 1 && gains(90).right < 1e-6)
        #expect(gains(-90).right == 1 && gains(-90).left < 1e-6)
        for azimuth in stride(from: -180.0, through: 180, by: 15) {
            let (left, right) = gains(azimuth)
            #expect(abs(left * left + right * right - 1) < 1e-6)
        }
        #expect(gains(0, lfe: true).left == 1 && gains(0, lfe: true).right == 1)
    }
}
