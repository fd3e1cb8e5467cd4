import Inserts
import Signal
import Testing

@Suite struct PluginProcessorTests {
    @Test func `A processor runs its function over its own rows`() {
        let input = PlanarBlock(channels: 1, frames: 4)
        let output = PlanarBlock(channels: 1, frames: 4)
        for i in 0..<4 { input[0][i] = Float(i) }
        var rows = (input.pointers, output.pointers)
        withUnsafeMutablePointer(to: &rows) { rows in
            let processor = PluginProcessor(
                run: { context, frames, _ in
                    typealias Rows = (
                        UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
                        UnsafeMutablePointer<UnsafeMutablePointer<Float>>
                    )
                    guard let rows = context?.assumingMemoryBound(to: Rows.self).pointee else { return }
                    for i in 0..<Int(frames) { rows.1[0][i] = 2 * rows.0[0][i] }
                }, restart: { _ in }, context: rows, inputs: input.pointers, inputCount: 1, outputs: output.pointers,
                outputCount: 1)
            processor.process(frames: 3, offline: true)
        }
        #expect((0..<4).map { output[0][$0] } == [0, 2, 4, 0])
    }
}
