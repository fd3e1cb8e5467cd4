import Foundation
import Signal

/// Role of a contender in a cell.
enum Role: String, Codable {
    /// The product, or the part of it that the cell measures.
    case ours
    /// An engine of another project, or the baseline written for the comparison.
    case peer
    /// A part of the product, listed for its cost and not compared.
    case part
}

/// An engine under measurement. Its initializer prepares it; each step does one unit of work.
///
/// To add an engine to a cell: conform, create it from the cell's work (`StageWork`, `RoomWork`, `AmbisonicWork`) and
/// list it in the plan of the group.
protocol Contender: AnyObject {
    /// Name in the report, unique within a cell.
    var name: String { get }
    /// Role in the cell.
    var role: Role { get }
    /// Remark for the report: sizes of transforms, bytes of tables, options. Empty without one.
    var remark: String { get }

    /// Does unit of work `index` (0, 1, 2 …), and leaves the result in `output` where it has the cell's form.
    /// It must not allocate: the report shows allocations.
    func step(_ index: Int, into output: Output)

    /// Converts the last step's result to the cell's form where `step` left another form (a spectrum in an order of its
    /// own). Not timed.
    func present(in output: Output)
}

extension Contender {
    var role: Role { .peer }
    var remark: String { "" }
    func present(in output: Output) {}
}

/// Output of a step: rows of samples, two (left, right) of a period's frames in most cells.
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
    /// Pointers to the rows, as audio drivers pass them.
    var rows: UnsafePointer<UnsafeMutablePointer<Float>> { UnsafePointer(block.pointers) }
    var left: UnsafeMutablePointer<Float> { block[0] }
    var right: UnsafeMutablePointer<Float> { block[1] }

    /// Writes all rows in order as little-endian floats.
    func write(to path: String) throws {
        var data = Data()
        for row in 0..<rowCount { data.append(Data(bytes: block[row], count: frames * 4)) }
        try data.write(to: URL(fileURLWithPath: path))
    }
}

/// Reference for all results of a cell, in double precision where one exists.
protocol Truth {
    /// Description of the reference.
    var name: String { get }
    /// Adds the exact result of step `index` to `rows`, which hold zeros before.
    func result(ofStep index: Int, rows: inout [[Double]])
}
