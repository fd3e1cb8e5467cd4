import AudioIO
import Testing

@testable import Session

@Suite struct OutputRouteTests {
    private static let phones = [
        JACKLink(from: "proscenium:out_L", to: "system:playback_1"),
        JACKLink(from: "proscenium:out_R", to: "system:playback_2"),
    ]
    private static let speakers = [
        JACKLink(from: "proscenium:out_L", to: "system:playback_3"),
        JACKLink(from: "proscenium:out_R", to: "system:playback_4"),
    ]

    private func playing(_ policy: RouteLossPolicy) -> OutputRoute {
        var route = OutputRoute(policy: policy)
        #expect(route.change(to: Self.phones) == [])
        #expect(route.state == .playing)
        return route
    }

    @Test func whereNothingWasConnectedNothingIsHeld() {
        var route = OutputRoute(policy: .mute)
        #expect(route.change(to: []) == [] && route.state == .unconnected)
        #expect(route.resume() == [])
        #expect(route.change(to: Self.speakers) == [] && route.state == .playing)
    }

    @Test func aLostRouteIsHeldUntilTheUserResumesWhateverIsConnectedMeanwhile() {
        var route = playing(.mute)
        #expect(
            route.lose(Self.phones) == [
                .close, .tell(.routeLost(["system:playback_1", "system:playback_2"])), .tell(.routeHeld),
            ])
        for links in [[], Self.speakers, Self.phones] {
            #expect(route.change(to: links) == [] && route.state == .held)
        }
        #expect(route.resume() == [.open, .tell(.routeResumed(["system:playback_1", "system:playback_2"]))])
        #expect(route.state == .playing && route.lost.isEmpty)
    }

    @Test func aResumeWithNothingConnectedWaitsForThePatchbay() {
        var route = playing(.mute)
        _ = route.lose(Self.phones)
        _ = route.change(to: [])
        #expect(route.resume() == [.open, .tell(.routeResumed([]))])
        #expect(route.state == .unconnected)
    }

    @Test func reconnectGoesOnOnlyWithTheSamePorts() {
        var route = playing(.reconnect)
        _ = route.lose([Self.phones[0]])
        #expect(route.change(to: Self.speakers) == [] && route.state == .held)
        let steps = route.change(to: Self.speakers + Self.phones)
        #expect(steps.first == .open && route.state == .playing)
    }

    @Test func reconnectConnectsPortsThatVanishedButNotThoseThatSomebodyDisconnected() {
        var route = playing(.reconnect)
        _ = route.lose(Self.phones)
        _ = route.change(to: [])
        #expect(route.look { _ in true } == [])
        #expect(route.look { _ in false } == [])
        #expect(route.look { _ in true } == [.connect(Self.phones)])
        #expect(route.look { _ in true } == [])
        #expect(route.change(to: Self.phones).first == .open)
    }

    @Test func continueOnlyTellsAndQuitQuits() {
        var route = playing(.continue)
        #expect(route.lose(Self.phones) == [.tell(.routeLost(["system:playback_1", "system:playback_2"]))])
        #expect(route.state == .playing)
        route = playing(.quit)
        let steps = route.lose(Self.phones)
        #expect(steps.contains(.quit(lost: Self.phones.map(\.to))) && steps.contains(.close))
    }

    @Test func aClientInPlaceOfAnotherKeepsTheRouteOrLosesIt() {
        var route = playing(.mute)
        #expect(route.reopen(with: Self.phones) == [] && route.state == .playing)
        #expect(route.reopen(with: [Self.phones[0]]).contains(.close) && route.state == .held)
        #expect(route.reopen(with: Self.phones) == [] && route.state == .held)
    }
}
