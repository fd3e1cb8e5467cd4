import Signal
import Testing

@testable import Soundstage

@Suite struct LayoutPlacesTests {
    private func place(_ azimuth: Double, _ elevation: Double = 0, lfe: Int? = nil) -> Layout.Place {
        Layout.Place(azimuthDegrees: azimuth, elevationDegrees: elevation, lowFrequency: lfe, name: "\(azimuth)")
    }

    private func standing(_ places: [Layout.Place], _ angles: Layout.Angles = .itu) -> Layout {
        Layout.standing(at: places, angles: angles).layout
    }

    private func symbols(_ places: [Layout.Place]) -> String {
        standing(places).loudspeakers.map(\.symbol).joined(separator: " ")
    }

    @Test(arguments: Layout.names)
    func everyNamedLayoutIsKnownAgainInAnyOrder(_ name: String) throws {
        let layout = try Layout.named(name)
        let backwards = Array(layout.loudspeakers.reversed())
        let places = backwards.map {
            Layout.Place(
                azimuthDegrees: $0.azimuthDegrees, elevationDegrees: $0.elevationDegrees,
                lowFrequency: $0.isLowFrequency ? 1 : nil, name: $0.symbol)
        }
        let found = Layout.standing(at: places)
        #expect(found.layout == layout)
        #expect(found.places.map { backwards[$0] } == layout.loudspeakers)
        // The requested angles apply if the set of loudspeakers has a name.
        #expect(try Layout.standing(at: places, angles: .dolby).layout == Layout.named(name, angles: .dolby))
    }

    @Test func aSinglePairOfSurroundsOrOfHeightsNotAtTheBackIsThePairWhereverItStands() throws {
        let front = [place(30), place(-30), place(0), place(0, lfe: 1)]
        let seven = front + [place(90), place(-90), place(135), place(-135), place(90, 30), place(-90, 30)]
        let layout = standing(seven)
        #expect(layout.name == "7.1.2" && layout.loudspeakers.map(\.symbol).suffix(2) == ["TFL", "TFR"])
        #expect(layout.loudspeakers.suffix(2).map(\.azimuthDegrees) == [90, -90])
        #expect(try standing(seven, .dolby) == Layout.named("7.1.2", angles: .dolby))
        let five = standing(front + [place(135), place(-135)])
        #expect(five.name == "5.1" && five.loudspeakers.suffix(2).map(\.azimuthDegrees) == [135, -135])
        // Heights at the back are another pair than that of 5.1.2.
        let bed = front + [place(110), place(-110)]
        #expect(standing(bed + [place(45, 30), place(-45, 30)]).name == "5.1.2")
        #expect(standing(bed + [place(110, 30), place(-110, 30)]).name == "FL+FR+FC+LFE+SL+SR+TBL+TBR")
        #expect(standing([place(30), place(-30), place(110), place(-110)]).name == "quad")
        #expect(standing([place(30), place(-30), place(0)]).name == "lcr")
        #expect(standing([place(0)]).name == "mono" && standing([place(0)]).loudspeakers[0].symbol == "M")
    }

    @Test func setsWithoutANameKeepTheirOrderAndTheirPlaces() {
        #expect(symbols([place(180), place(30), place(-30), place(0)]) == "BC FL FR FC")
        // Loudspeakers of BS.2051's 10.1 and of the bottom layer of 22.2, and two low-frequency channels.
        let low = [place(0, -30), place(45, -30), place(-45, -30), place(0, lfe: 1), place(0, lfe: 2), place(0, 90)]
        #expect(symbols(low) == "B000 B045L B045R LFE LFE2 TC")
        let layout = standing(low)
        #expect(layout.loudspeakers.map(\.isLowFrequency) == [false, false, false, true, true, false])
        #expect(layout.loudspeakers[1].azimuthDegrees == 45 && layout.loudspeakers[1].elevationDegrees == -30)
        #expect(layout.loudspeakers[1].prettyName == "45.0" && layout.loudspeakers[5].waveMask == 0x800)
        #expect(layout.name == "B000+B045L+B045R+LFE+LFE2+TC")
        // The pair at 90° are the sides, so the pair at 110° is named by its angle. Each name occurs once.
        #expect(symbols([place(110), place(90), place(-110), place(-90)]) == "M110L SL M110R SR")
        #expect(symbols([place(12.2), place(11.8), place(-12)]) == "M012L M012L-2 M012R")
        // Left and right of centre share their bits of the wave mask with the wides.
        #expect(standing([place(22.5), place(-22.5)]).loudspeakers.map(\.waveMask) == [0x40, 0x80])
        #expect(standing([place(25), place(60), place(-60)]).loudspeakers.map(\.waveMask) == [nil, 0x40, 0x80])
    }

    @Test func whatWasMeasuredBesideTheListenerWeighsMore() {
        let layout = standing([place(30), place(90), place(110), place(-135), place(0, lfe: 1)])
        #expect(layout.loudnessWeights == [1, 1.41, 1.41, 1, 0])
    }
}
