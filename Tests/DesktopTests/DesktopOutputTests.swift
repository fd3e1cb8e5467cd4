import Loading
import Testing

@testable import Desktop

@Suite struct DesktopOutputTests {
    private static let headset = #", "device.form-factor": "headset""#

    private func fixture(_ add: (inout GraphFixture) -> Void) -> PipeWireGraph {
        var fixture = GraphFixture()
        fixture.addSink(100, "speakers", "Loud ones", #", "device.form-factor": "speaker""#)
        add(&fixture)
        return fixture.graph
    }

    private func refusal(_ said: String?, in graph: PipeWireGraph) -> String {
        do throws(SessionError) {
            return "found \(try DesktopOutput.find(said, in: graph).name)"
        } catch { return error.description }
    }

    @Test func theOnlyHeadphonesAreTaken() throws {
        let graph = fixture { $0.addSink(200, "usb", "Headset", Self.headset) }
        #expect(try DesktopOutput.find(nil, in: graph) == DesktopOutput(name: "usb", description: "Headset"))
    }

    @Test func ofSeveralTheDefaultOnesAreTaken() throws {
        let graph = fixture {
            $0.addSink(200, "usb", "Headset", Self.headset)
            $0.addSink(300, "bluez", "Buds", Self.headset)
            $0.take($0.metadata(chosen: nil, used: "bluez"))
        }
        #expect(try DesktopOutput.find(nil, in: graph).name == "bluez")
    }

    @Test func ofSeveralNoneIsTakenUnasked() {
        let graph = fixture {
            $0.addSink(200, "usb", "Headset", Self.headset)
            $0.addSink(300, "bluez", "Buds", Self.headset)
        }
        let words = refusal(nil, in: graph)
        #expect(
            words.contains("'proscenium desktop on --output usb' (Headset), or 'proscenium desktop on --output bluez'"))
        #expect(!words.contains("speakers"))
    }

    @Test func noLoudspeakerIsTakenUnasked() {
        let words = refusal(nil, in: fixture { _ in })
        #expect(
            words.contains("played to loudspeakers unasked")
                && words.contains("'proscenium desktop on --output speakers' (Loud ones)"))
    }

    @Test(arguments: ["speakers", "loud ones", "100"]) func theUsersWordNamesASink(_ said: String) throws {
        let found = try DesktopOutput.find(said, in: fixture { _ in })
        #expect(found == DesktopOutput(name: "speakers", description: "Loud ones", isByWord: true))
    }

    @Test(arguments: ["proscenium.7.1", "Proscenium 7.1", "200", "proscenium.5.1"])
    func theOwnSinkIsRefused(_ said: String) {
        // The program's own sink is not found as headphones either, whatever its properties are.
        let graph = fixture { $0.addSink(200, "proscenium.7.1", "Proscenium 7.1", Self.headset) }
        #expect(refusal(said, in: graph).contains("back into its input"))
        #expect(refusal(nil, in: graph).contains("no sink is known to be headphones"))
    }

    @Test func anUnknownNameIsAnsweredWithThoseThatWork() {
        #expect(
            refusal("phone", in: fixture { _ in })
                == "there is no sink 'phone'; these work: 'proscenium desktop on --output speakers' (Loud ones)")
    }

    @Test func aNameOfTwoSinksIsRefused() {
        let graph = fixture { $0.addSink(200, "other", "Loud ones") }
        #expect(refusal("Loud ones", in: graph).contains("2 sinks are called"))
    }

    @Test func aSinkNamedByTheUserIsNotPermittedOnceItsCardPlaysToLoudspeakers() throws {
        var fixture = GraphFixture()
        fixture.addSink(100, "pci", "Built-in", GraphFixture.card)
        fixture.setCard(40, port: "analog-output-lineout", type: "line")
        let found = try DesktopOutput.find("pci", in: fixture.graph)
        #expect(found.permits(fixture.graph.sinks[0].node, in: fixture.graph))
        fixture.setCard(40, port: "analog-output-speaker", type: "speaker")
        #expect(!found.permits(fixture.graph.sinks[0].node, in: fixture.graph))
        fixture.setCard(40, port: "analog-output-headphones", type: "headphones")
        #expect(found.permits(fixture.graph.sinks[0].node, in: fixture.graph))
    }
}
