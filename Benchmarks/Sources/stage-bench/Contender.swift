import Signal

/// An engine under measurement: renders one block after another to two ears.
protocol Contender: AnyObject {
    /// Its name in the report.
    var name: String { get }
    /// Whether the head turns.
    var isMoving: Bool { get }
    /// Renders block `index`, called with 0, 1, 2 ….
    func render(block index: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>)
}
