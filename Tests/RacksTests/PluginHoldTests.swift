import Glibc
import Inserts
import PluginHost
import Synchronization
import Testing

@testable import Racks

/// The end of the instances of an insert.
@Suite struct PluginHoldTests {
    /// Time limits that instances were given for their close, seconds, in order.
    private final class Limits: Sendable {
        private let given = Mutex<[Double]>([])
        var all: [Double] { given.withLock { $0 } }
        func note(_ seconds: Double) { given.withLock { $0.append(seconds) } }
    }

    /// An instance that does nothing but close, which takes 50 ms.
    private final class Closing: PluginInstance {
        private let limits: Limits
        private let closes: Bool

        init(_ limits: Limits, closes: Bool = true) { (self.limits, self.closes) = (limits, closes) }

        var plugin: PluginDescription { preconditionFailure("only the close is tested") }
        var processor: PluginProcessor { preconditionFailure("only the close is tested") }
        var latencyFrames: Int { 0 }
        var health: PluginHealth { PluginHealth() }
        func controls() -> [String: Float] { [:] }
        func readings() -> [String: Float] { [:] }
        func set(_ symbol: String, to value: Float, within seconds: Double) throws(PluginError) {}
        func set(property: String, to value: PropertyValue) throws(PluginError) {}
        func properties() -> [String: PropertyValue] { [:] }
        func send(midi: [UInt8]) throws(PluginError) {}
        func transport(_ position: TransportPosition) {}
        func load(preset: String) throws(PluginError) {}
        func save(to folder: String) throws(PluginError) {}
        func restore(from folder: String) throws(PluginError) {}

        func close(within seconds: Double) -> Bool {
            limits.note(seconds)
            usleep(50_000)
            return closes
        }
    }

    @Test func `All instances of an insert share one time limit, and the last ones still have a tenth of a second`() {
        let (limits, endings) = (Limits(), PluginEndings())
        _ = PluginHold((0..<8).map { _ in Closing(limits) }, of: "amp", endings: endings, within: 0.3)
        let given = limits.all
        #expect(given.count == 8 && endings.take().isEmpty)
        #expect(given.allSatisfy { (0.1...0.3).contains($0) }, "\(given)")
        for (before, next) in zip(given, given.dropFirst()) { #expect(next <= max(0.1, before - 0.049), "\(given)") }
        #expect(given.last == 0.1)
    }

    @Test func `An insert with an instance that cannot be closed is named`() {
        let (limits, endings) = (Limits(), PluginEndings())
        _ = PluginHold([Closing(limits, closes: false), Closing(limits)], of: "amp", endings: endings)
        #expect(limits.all.count == 2 && endings.take() == ["amp"] && endings.take().isEmpty)
    }
}
