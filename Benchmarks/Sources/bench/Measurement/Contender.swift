import Foundation
import Signal

/// What stands against what in a cell.
enum Role: String, Codable {
    /// The product, or a part of it that the cell is about.
    case ours
    /// Another project's, or the baseline written for this purpose.
    case peer
    /// A share of ours, shown for what it costs; no opponent.
    case part
}

/// An engine under measurement. Made ready by its initializer; does one unit of work after the other.
///
/// To add an engine to a cell: conform, make it from the cell's work (`StageWork`, `RoomWork`, `AmbisonicWork`) and
/// list it where the group plans its cells.
protocol Contender: AnyObject {
    /// Its name in the report; within a cell no two are alike.
    var name: String { get }
    /// Ours, a peer, or a part of ours.
    var role: Role { get }
    /// Anything the reader should know: sizes of transforms, bytes of tables, options. Empty if there is nothing.
    var remark: String { get }

    /// Does unit of work `index`, called with 0, 1, 2 …, and leaves the result in `output` where it has the cell's form.
    /// Nothing in it may allocate: the report shows which contender does.
    func step(_ index: Int, into output: Output)

    /// Brings the last step's result into the cell's form where `step` left it in another (a spectrum in an order of its
    /// own). Not timed.
    func present(in output: Output)
}

extension Contender {
    var role: Role { .peer }
    var remark: String { "" }
    func present(in output: Output) {}
}

/// Where a step's result goes: rows of samples, two (left, right) of a period's frames in most cells.
final class Output {
    let rowCount: Int
    let frames: Int
    private let block: PlanarBlock

    init(rows: Int, frames: Int) {
        rowCount = rows
        self.frames = frames
        block = PlanarBlock(channels: rows, frames: frames)
    }

    subscript(row: Int) -> UnsafeMutablePointer<Float> { block[row] }
    /// The rows' starts, as drivers pass them.
    var rows: UnsafePointer<UnsafeMutablePointer<Float>> { UnsafePointer(block.pointers) }
    var left: UnsafeMutablePointer<Float> { block[0] }
    var right: UnsafeMutablePointer<Float> { block[1] }

    /// Writes all rows one after the other as little-endian floats.
    func write(to path: String) throws {
        var data = Data()
        for row in 0..<rowCount { data.append(Data(bytes: block[row], count: frames * 4)) }
        try data.write(to: URL(fileURLWithPath: path))
    }
}

/// What all results of a cell are held to, computed in double precision where that can be had.
protocol Truth {
    /// What it is, in words.
    var name: String { get }
    /// The exact result of step `index`: row by row, added to `rows` (zeros before).
    func result(ofStep index: Int, rows: inout [[Double]])
}
