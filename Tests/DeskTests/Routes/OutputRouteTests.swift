import AudioIO
import Desk
import Testing

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
        #expect(route.change(to: Self.phones, at: 0) == [])
        #expect(route.state == .playing)
        return route
    }

    @Test func whatADyingServerTakesAwayIsNoLoss() {
        var route = playing(.mute)
        _ = route.lose([Self.phones[0]], at: 10)
        _ = route.lose([Self.phones[1]], at: 10.5)
        _ = route.change(to: [], at: 10.5)
        route.serverGone(at: 11, grace: 2)
        #expect(route.state == .playing && route.links == Self.phones && route.lost.isEmpty)
        let told = route.reopen(with: Self.phones, at: 60)
        #expect(told == [.tell(.routeResumed(["system:playback_1", "system:playback_2"]))])
        // Connections that are missing when the server is back count as lost.
        _ = route.lose(Self.phones, at: 70)
        route.serverGone(at: 71, grace: 2)
        #expect(route.reopen(with: [Self.phones[0]], at: 80).contains(.tell(.routeHeld)) && route.state == .held)
        #expect(route.lost == [Self.phones[1]])
    }

    @Test func whatWasLostBeforeTheServerWentStaysLost() {
        var route = playing(.mute)
        _ = route.lose(Self.phones, at: 10)
        route.serverGone(at: 20, grace: 2)
        #expect(route.state == .held && route.lost == Self.phones)
    }

    @Test func whereNothingWasConnectedNothingIsHeld() {
        var route = OutputRoute(policy: .mute)
        #expect(route.change(to: [], at: 0) == [] && route.state == .unconnected)
        #expect(route.resume() == [])
        #expect(route.change(to: Self.speakers, at: 0) == [] && route.state == .playing)
    }

    @Test func aLostRouteIsHeldUntilTheUserResumesWhateverIsConnectedMeanwhile() {
        var route = playing(.mute)
        #expect(
            route.lose(Self.phones, at: 0) == [
                .close, .tell(.routeLost(["system:playback_1", "system:playback_2"])), .tell(.routeHeld),
            ])
        for links in [[], Self.speakers, Self.phones] {
            #expect(route.change(to: links, at: 0) == [] && route.state == .held)
        }
        #expect(route.resume() == [.open, .tell(.routeResumed(["system:playback_1", "system:playback_2"]))])
        #expect(route.state == .playing && route.lost.isEmpty)
    }

    @Test func anEarThatIsPatchedBackWithinSecondsIsHeardAgainWithoutAsking() {
        var route = playing(.patch)
        #expect(route.lose([Self.phones[0]], at: 10).first == .close)
        #expect(route.change(to: [Self.phones[1], Self.speakers[0]], at: 11) == [] && route.state == .held)
        #expect(route.change(to: Self.phones, at: 14.9).first == .open && route.state == .playing)
    }

    @Test func patchingThatTakesLongerWaitsForTheUser() {
        var route = playing(.patch)
        _ = route.lose(Self.phones, at: 10)
        #expect(route.change(to: Self.phones, at: 15.1) == [] && route.state == .held)
        #expect(route.look { _ in true } == [])
        #expect(route.resume().first == .open)
        // Each new loss has its own grace period, counted from the newest loss.
        _ = route.lose([Self.phones[0]], at: 20)
        _ = route.lose([Self.phones[1]], at: 24)
        #expect(route.change(to: [Self.phones[1]], at: 25) == [])
        #expect(route.change(to: Self.phones, at: 28).first == .open)
    }

    @Test func aResumeWithNothingConnectedWaitsForThePatchbay() {
        var route = playing(.mute)
        _ = route.lose(Self.phones, at: 0)
        _ = route.change(to: [], at: 0)
        #expect(route.resume() == [.open, .tell(.routeResumed([]))])
        #expect(route.state == .unconnected)
    }

    @Test func reconnectGoesOnOnlyWithTheSamePorts() {
        var route = playing(.reconnect)
        _ = route.lose([Self.phones[0]], at: 0)
        #expect(route.change(to: Self.speakers, at: 0) == [] && route.state == .held)
        let steps = route.change(to: Self.speakers + Self.phones, at: 0)
        #expect(steps.first == .open && route.state == .playing)
    }

    @Test func reconnectConnectsPortsThatVanishedButNotThoseThatSomebodyDisconnected() {
        var route = playing(.reconnect)
        _ = route.lose(Self.phones, at: 0)
        _ = route.change(to: [], at: 0)
        #expect(route.look { _ in true } == [])
        #expect(route.look { _ in false } == [])
        #expect(route.look { _ in true } == [.connect(Self.phones)])
        #expect(route.look { _ in true } == [])
        #expect(route.change(to: Self.phones, at: 0).first == .open)
    }

    @Test func aConnectionThatTheServerRefusedIsTriedAgain() {
        var route = playing(.reconnect)
        _ = route.lose(Self.phones, at: 0)
        _ = route.change(to: [], at: 0)
        _ = route.look { _ in false }
        #expect(route.look { _ in true } == [.connect(Self.phones)])
        route.refused(Self.phones[1])
        #expect(route.look { _ in true } == [.connect([Self.phones[1]])])
        #expect(route.look { _ in true } == [])
        #expect(route.change(to: Self.phones, at: 0).first == .open)
        // While the route plays, `look` restores no connection.
        route.refused(Self.phones[1])
        #expect(route.look { _ in true } == [])
    }

    @Test func continueOnlyTellsAndQuitQuits() {
        var route = playing(.continue)
        #expect(route.lose(Self.phones, at: 0) == [.tell(.routeLost(["system:playback_1", "system:playback_2"]))])
        #expect(route.state == .playing)
        route = playing(.quit)
        let steps = route.lose(Self.phones, at: 0)
        #expect(steps.contains(.quit(lost: Self.phones.map(\.to))) && steps.contains(.close))
    }

    @Test func aClientInPlaceOfAnotherKeepsTheRouteOrLosesIt() {
        var route = playing(.mute)
        #expect(route.reopen(with: Self.phones, at: 0) == [] && route.state == .playing)
        #expect(route.reopen(with: [Self.phones[0]], at: 0).contains(.close) && route.state == .held)
        #expect(route.reopen(with: Self.phones, at: 0) == [] && route.state == .held)
    }
}
