import Desk
import HeadTracking
import Stages
import Synchronization
import Testing
import Waiting

@testable import Surfaces

@Suite struct SurfaceDoorTests {
    /// Record of the bytes sent to a device, the commands, and the count of maps.
    private final class Heard: Sendable {
        private let content = Mutex<(bytes: [[UInt8]], commands: [SessionCommand], maps: Int)>(([], [], 0))
        var bytes: [[UInt8]] { content.withLock { $0.bytes } }
        var commands: [SessionCommand] { content.withLock { $0.commands } }
        var maps: Int { content.withLock { $0.maps } }
        func add(_ bytes: [[UInt8]]) { content.withLock { $0.bytes += bytes } }
        func add(_ command: SessionCommand) { content.withLock { $0.commands.append(command) } }
        func addMap() { content.withLock { $0.maps += 1 } }
    }

    private static func door(_ heard: Heard, _ bindings: [SurfaceBinding], refuses: Bool = false) -> SurfaceDoor {
        let queue = CommandQueue()
        queue.serve { command in
            heard.add(command)
            return refuses ? .refused("no") : .done
        }
        var map = SurfaceMap()
        map.bindings = bindings
        return SurfaceDoor(map, queue: queue, send: { heard.add($0) }, learnt: { _ in heard.addMap() })
    }

    private static let cut = SurfaceBinding(SurfaceControl(.controller(7), channel: 0), "input/main/drc-cut")

    @Test func messagesBecomeCommandsInOrder() async throws {
        let heard = Heard()
        let door = Self.door(
            heard,
            [
                SurfaceBinding(SurfaceControl(.note(36)), "recentre"),
                SurfaceBinding(SurfaceControl(.note(37)), "resume"),
                SurfaceBinding(SurfaceControl(.note(38)), "undo"), Self.cut,
            ])
        for note: UInt8 in [36, 37, 38] { door.receive([0x90, note, 1]) }
        // An incomplete message, and a note without a binding.
        door.receive([0x90, 36])
        door.receive([0x90, 99, 1])
        door.receive([0xB0, 7, 127])
        #expect(await comes { heard.commands.count == 4 })
        #expect(
            heard.commands == [
                .recentre(.yaw), .playback(.resume), .history(.undo),
                .set(try ParameterChange("drc-cut", ["1"], input: "main")),
            ])
    }

    @Test func whatIsInForceIsToldAndFollowed() async {
        let heard = Heard()
        let door = Self.door(heard, [Self.cut])
        let book = StateBook()
        book.enter(["input/main/drc-cut": .numbers([1]), "layout": .word("5.1")])
        door.follow(book)
        #expect(heard.bytes == [[0xB0, 7, 127]])
        book.enter(["input/main/drc-cut": .numbers([0])])
        #expect(heard.bytes == [[0xB0, 7, 127], [0xB0, 7, 0]])
        // The refresh sends one message; the removal of an address sends nothing, and a refresh after it neither.
        door.refresh()
        #expect(heard.bytes.count == 3)
        book.enter([:])
        door.refresh()
        #expect(heard.bytes.count == 3)
        door.close()
        book.enter(["input/main/drc-cut": .numbers([1])])
        #expect(heard.bytes.count == 3)
    }

    @Test func aStepDoesNotGoOnFromARemovedValue() async {
        let (heard, other) = (Heard(), Heard())
        let address = "input/main/source-width"
        let knob = SurfaceBinding(SurfaceControl(.controller(16), channel: 0), address, relative: .twosComplement)
        let (door, fresh) = (Self.door(heard, [knob]), Self.door(other, [knob]))
        let book = StateBook()
        book.enter([address: .numbers([47])])
        door.follow(book)
        book.enter([:])
        for each in [door, fresh] { each.receive([0xB0, 16, 1]) }
        #expect(await comes { heard.commands.count == 1 && other.commands.count == 1 })
        #expect(heard.commands == other.commands)
        door.close()
        fresh.close()
    }

    @Test func whatWasHeldBackIsSaidLater() async {
        let heard = Heard()
        let door = Self.door(heard, [Self.cut])
        door.receive([0xB0, 7, 5])
        door.hear(["input/main/drc-cut": .numbers([1])])
        #expect(await comes { heard.bytes == [[0xB0, 7, 127]] })
    }

    @Test func whatIsRefusedIsTakenBackOnTheDevice() async {
        let heard = Heard()
        let door = Self.door(heard, [Self.cut], refuses: true)
        door.hear(["input/main/drc-cut": .numbers([1])])
        door.receive([0xB0, 7, 5])
        #expect(await comes { heard.bytes == [[0xB0, 7, 127], [0xB0, 7, 127]] })
    }

    @Test func aControlIsLearntAndItsMapToldOnce() async {
        let heard = Heard()
        let door = Self.door(heard, [])
        #expect(!door.learn("nothing"))
        #expect(door.learn("recentre"))
        door.receive([0xB0, 20, 127])
        #expect(await comes { heard.maps == 1 })
        #expect(door.map.bindings.map(\.control.written) == ["cc 20"])
        door.receive([0xB0, 20, 0])
        door.receive([0xB0, 20, 127])
        #expect(await comes { heard.commands == [.recentre(.yaw)] })
        #expect(heard.maps == 1)
    }
}
