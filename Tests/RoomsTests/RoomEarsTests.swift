import Foundation
import Rooms
import SOFA
import Testing

@Suite("Which ear is which in a measured room") struct RoomEarsTests {
    private typealias Variables = [String: ([Double], [Int], [(String, String)])]

    /// A ReceiverPosition with the right ear first.
    private static let rightFirst: ([Double], [Int], [(String, String)]) = (
        [0, -0.09, 0, 0, 0.09, 0], [2, 3, 1], RoomDraft.cartesian
    )

    /// Puts the second receiver's responses before the first's.
    private static func exchange(_ variables: inout Variables) {
        guard let (values, shape, attributes) = variables["Data.IR"] else { return }
        let n = shape[2]
        var turned: [Double] = []
        for start in stride(from: 0, to: values.count, by: 2 * n) {
            turned += values[(start + n)..<(start + 2 * n)]
            turned += values[start..<(start + n)]
        }
        variables["Data.IR"] = (turned, shape, attributes)
    }

    /// Returns 4000 samples of a room's first view, read as it would be played, and the remarks on the file.
    private func firstView(
        _ room: TrueRoom = .stereo, step: Int = 15, _ spoil: (inout Variables) -> Void = { _ in }
    ) throws -> (left: [Float], right: [Float], remarks: [String]) {
        let path = try RoomDraft.write("SingleRoomSRIR", room, step: step, before: 100, spoil: spoil)
        defer { RoomDraft.remove(path) }
        let views = try RoomViews(sofaAt: path)
        let (left, right) = try views.read(try #require(views.sources.first?.views.first).key, 4000)
        return (left, right, views.remarks)
    }

    @Test("sound decides, whatever ReceiverPosition says") func sound() throws {
        let truth = try firstView()
        #expect(truth.left != truth.right)
        for says in [false, true] {
            let stored = try firstView { variables in
                Self.exchange(&variables)
                if says { variables["ReceiverPosition"] = Self.rightFirst }
            }
            #expect(stored.left == truth.left && stored.right == truth.right)
            #expect(stored.remarks.contains { $0.contains("were exchanged") })
            // A fault of older writers: ReceiverPosition has the right ear first, the responses have the left first.
            let said = try firstView { if says { $0["ReceiverPosition"] = Self.rightFirst } }
            #expect(said.left == truth.left && said.remarks.contains { $0.contains("ReceiverPosition") } == says)
        }
    }

    @Test("where no loudspeaker is to a side, ReceiverPosition does") func position() throws {
        let ahead = TrueRoom([10])
        let truth = try firstView(ahead, step: 180)
        let stored = try firstView(ahead, step: 180) { variables in
            Self.exchange(&variables)
            variables["ReceiverPosition"] = Self.rightFirst
        }
        #expect(stored.left == truth.left && stored.right == truth.right)
        #expect(stored.remarks.contains { $0.contains("ReceiverPosition has the right ear first") })
    }

    @Test("delays are exchanged with their ears") func delays() throws {
        let truth = try firstView { $0["Data.Delay"] = ([5, 0], [1, 2], []) }
        let stored = try firstView { variables in
            Self.exchange(&variables)
            variables["Data.Delay"] = ([0, 5], [1, 2], [])
        }
        #expect(stored.left == truth.left && stored.right == truth.right)
    }

    @Test("silence is no room, nor are a head's own responses") func noRooms() throws {
        let silent = #expect(throws: RoomError.self) {
            try firstView { variables in
                guard let count = variables["Data.IR"]?.1[0] else { return }
                // Short responses: long silence would be refused as a deflate bomb first.
                variables["Data.IR"] = ([Double](repeating: 0, count: count * 320), [count, 2, 160], [])
            }
        }
        #expect(silent?.description.contains("silent") == true)
        let path = try RoomDraft.write("SimpleFreeFieldHRIR", .stereo, step: 15) { variables in
            guard let shape = variables["Data.IR"]?.1 else { return }
            let values = (0..<(shape[0] * 2 * 256)).map { $0 % 256 == 9 ? 1.0 : 0 }
            variables["Data.IR"] = (values, [shape[0], 2, 256], [])
        }
        defer { RoomDraft.remove(path) }
        let head = #expect(throws: RoomError.self) { _ = try RoomViews(sofaAt: path) }
        #expect(head?.description.contains("--hrtf") == true)
    }
}
