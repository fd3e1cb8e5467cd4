import HRTF
import Signal

/// The product's methods to update filters.
enum UpdateContenders {
    static func ours(_ field: FilterField, slice: Int) -> [Entry] {
        [Entry(.ours) { SpectralContender(field, slice: slice) }, Entry(.part) { ResponseContender(field) }]
    }
}

/// The field evaluated in the time domain.
final class ResponseContender: Contender {
    let name = "Proscenium, response in time"
    let role = Role.part
    private let field: FilterField
    private let scratch: UnsafeMutablePointer<Float>
    private let ears: PlanarBlock
    private let directions = Directions()

    init(_ field: FilterField) {
        self.field = field
        scratch = AlignedMemory.allocate(Float.self, count: field.handle.scratchCount)
        scratch.initialize(repeating: 0, count: field.handle.scratchCount)
        ears = PlanarBlock(channels: 2, frames: field.tapCount)
    }

    deinit { scratch.deallocate() }

    func step(_ index: Int, into output: Output) {
        for source in 0..<Directions.count {
            let seen = directions.seen(source, step: index)
            field.handle.evaluate(x: seen.x, y: seen.y, z: seen.z, scratch: scratch, left: ears[0], right: ears[1])
        }
    }
}
