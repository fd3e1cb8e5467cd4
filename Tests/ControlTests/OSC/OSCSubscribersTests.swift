import Desk
import OSC
import Testing

@testable import Control

/// Addresses of subscribers over UDP, when there are more than the list holds.
@Suite(.timeLimit(.minutes(10))) struct OSCSubscribersTests {
    private static func list() -> (OSCSubscribers, SessionDesk) {
        let desk = SessionDesk()
        return (OSCSubscribers(at: desk) { _, _, _ in }, desk)
    }

    private static func address(_ port: Int) -> ControlAddress { ControlAddress(port: port) }

    @Test func theSenderThatWasSilentLongestMakesRoom() {
        let (subscribers, _) = Self.list()
        for port in 1...OSCSubscribers.capacity {
            #expect(subscribers.set(Self.address(port), [.events], isNamed: false))
        }
        // The first two send again.
        for port in [1, 2] { subscribers.heard(Self.address(port)) }
        #expect(subscribers.set(Self.address(1000), [.events], isNamed: true))
        #expect(subscribers.addresses.count == OSCSubscribers.capacity)
        #expect(!subscribers.addresses.contains(Self.address(3)))
        for port in [1, 2, 4, 1000] { #expect(subscribers.addresses.contains(Self.address(port))) }
        subscribers.end()
    }

    @Test func aNamedAddressMakesRoomForNobody() {
        let (subscribers, _) = Self.list()
        for port in 1...OSCSubscribers.capacity {
            #expect(subscribers.set(Self.address(port), [.events], isNamed: true))
        }
        #expect(!subscribers.set(Self.address(1000), [.events], isNamed: false))
        #expect(!subscribers.set(Self.address(1000), [.events], isNamed: true))
        // New topics for a named address: it stays named although this call does not name it.
        #expect(subscribers.set(Self.address(1), [.state], isNamed: false))
        #expect(!subscribers.set(Self.address(1000), [.events], isNamed: false))
        subscribers.remove(Self.address(2))
        #expect(subscribers.set(Self.address(1000), [.events], isNamed: false))
        subscribers.end()
    }

    @Test(
        arguments: [
            ("tablet.local:9001", "'tablet.local:9001': give the address in numbers"),
            ("[fe80::1%eth0]:9001", "'[fe80::1%eth0]:9001': give the address in numbers"),
            ("[::1]:9001", "'[::1]:9001': this session sends to IPv4 addresses alone"),
            ("LocalHost:9001", nil), ("10.0.0.7:9001", nil), ("osc.udp://10.0.0.7:9001/", nil),
        ] as [(String, String?)])
    func anAddressToWhichNothingCanBeSentIsRefused(named: String, reason: String?) {
        let desk = SessionDesk()
        let entrance = OSCEntrance(desk, DoorAccess(token: "word"), OSCSubscribers(at: desk) { _, _, _ in })
        let answer = entrance.answer(
            .subscribe, .init("/proscenium/subscribe", [.string(named), .string("events")]), from: Self.address(5000)
        ) { .done }
        if let reason {
            guard case .refused(let found) = answer else {
                Issue.record("\(named) was accepted")
                return
            }
            #expect(found == reason)
        }
        #expect(entrance.subscribers.addresses.count == (reason == nil ? 1 : 0))
        entrance.subscribers.end()
    }

    @Test func aToolThatTakesAnotherPortEachTimeLocksNobodyOut() {
        let desk = SessionDesk()
        let entrance = OSCEntrance(
            desk, DoorAccess(), OSCSubscribers(at: desk) { _, _, _ in })
        for port in 1...100 {
            let answer = entrance.answer(
                .subscribe, .init("/proscenium/subscribe", [.string("events")]), from: Self.address(port)
            ) { .done }
            guard case .done = answer else {
                Issue.record("\(port) was refused")
                continue
            }
        }
        #expect(entrance.subscribers.addresses.count == OSCSubscribers.capacity)
        entrance.subscribers.end()
    }
}
