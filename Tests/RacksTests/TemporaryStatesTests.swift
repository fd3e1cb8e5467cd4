import Foundation
import Racks
import Testing

@Suite struct TemporaryStatesTests {
    /// Returns two requests that hold a temporary folder.
    private func requests() throws -> [PluginRequest] {
        let states = TemporaryStates()
        try FileManager.default.createDirectory(atPath: states.path, withIntermediateDirectories: false)
        var request = PluginRequest(place: "main", identifier: "urn:x")
        (request.state, request.keeper) = (states.path, states)
        return [request, request]
    }

    @Test func `Temporary states last as long as the requests that hold them`() throws {
        var held = try requests()
        let path = try #require(held[0].state)
        held.removeLast()
        #expect(FileManager.default.fileExists(atPath: path))
        held.removeLast()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `A typed request takes up saved states with their owner`() throws {
        let saved = try requests()
        var typed = try PluginRequest(parsing: "main=urn:x")
        typed.takeUp(saved[0])
        #expect(typed.state == saved[0].state && typed.keeper == saved[0].keeper && typed.keeper != nil)
        typed = try PluginRequest(parsing: "main=urn:x,state=/elsewhere")
        typed.takeUp(saved[0])
        #expect(typed.state == "/elsewhere" && typed.keeper == nil)
    }
}
