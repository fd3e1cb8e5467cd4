import Convolution
import HRTF
import Signal

/// The stage's own filter update: weighted sums of four spectra and a phase, into the filters of 64 sources.
final class SpectralContender: Contender {
    let name = "Proscenium, spectra"
    let role = Role.ours
    let remark: String
    private let field: SpectralField
    private let filters: StageFilters
    private let directions = Directions()

    init(_ field: FilterField, slice: Int) {
        let form = field.form(slice: slice)
        self.field = SpectralField(field, form: form)
        filters = StageFilters(sourceCount: Directions.count, chunks: form.chunks, versionCount: 2)
        remark = "\(16 * form.chunks) bins"
    }

    func step(_ index: Int, into output: Output) {
        for source in 0..<Directions.count {
            let seen = directions.seen(source, step: index)
            field.handle.evaluate(
                x: seen.x, y: seen.y, z: seen.z, gain: 1, to: filters.filter(ofSource: source, version: index & 1),
                stride: filters.stride)
        }
    }
}
