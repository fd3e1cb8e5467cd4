import Convolution
import HRTF
import Signal
import Soundstage
import Synchronization

/// Owner of a stage's filters: the filter bank of the sources and the decoders of the sound fields. It publishes filter
/// fields (HRTF filters for all directions), and frees banks that are no longer used.
///
/// Banks reach the audio thread through the exchange; the lock of `held` protects the end of the exchange that all
/// other threads use. The renderer must outlive every call of the `StageGraph`.
final class FieldRenderer: Sendable {
    private typealias Held = [(bank: BankReference, field: SpectralField)]

    /// Passes banks to the audio thread and back.
    let exchange: BankExchange
    /// `[programme]`: decoder of a sound field; nil for a programme of loudspeakers.
    let decoders: [AmbisonicRenderer?]
    /// Longest transform that a published field may need, samples.
    let longest: Int
    private let configuration: StageConfiguration
    /// The filter banks that exist, each with the spectral field that keeps its pointers valid.
    private let held: Mutex<Held>

    /// Makes the bank and the decoders of the first field. `longest` is that of `longest(for:_:)`.
    init(_ configuration: StageConfiguration, _ field: FilterField, longest: Int) {
        self.configuration = configuration
        self.longest = longest
        exchange = BankExchange()
        let (bank, spectral) = FieldRenderer.makeBank(configuration, field)
        held = Mutex([(bank, spectral)])
        decoders = FieldRenderer.makeDecoders(configuration, field: field)
    }

    deinit {
        held.withLock { held in
            for (bank, _) in held { FieldRenderer.free(bank) }
            held = []
        }
        exchange.deallocate()
    }

    /// The bank that was made last. A new `StageGraph` begins with this bank.
    var newest: BankReference { held.withLock { $0[$0.count - 1].bank } }

    /// Replaces the field. The new field fades in over the next slice that begins. The old one is freed by this call,
    /// by a later call, or with the renderer. Any thread except the audio thread may call it.
    func publish(_ field: FilterField) throws(RenderingError) {
        try FieldRenderer.check(field, configuration, longest: longest)
        let (bank, spectral) = FieldRenderer.makeBank(configuration, field)
        for decoder in decoders { decoder?.publish(field: field) }
        held.withLock { held in
            collect(&held)
            held.append((bank, spectral))
            if let untaken = exchange.publish(bank) { discard(untaken, &held) }
        }
    }

    /// Number of filter fields in memory: the field in use, and fields that are not yet in use or not yet freed.
    var count: Int {
        held.withLock { held in
            collect(&held)
            return held.count
        }
    }

    /// Frees the banks that the audio thread has returned.
    func collect() { held.withLock { held in collect(&held) } }

    private func collect(_ held: inout Held) {
        while let bank = exchange.collect() { discard(bank, &held) }
    }

    private func discard(_ bank: BankReference, _ held: inout Held) {
        FieldRenderer.free(bank)
        held.removeAll { $0.bank == bank }
    }

    /// Frees a bank that is no longer used.
    private static func free(_ bank: BankReference) {
        bank.pointer.deinitialize(count: 1)
        bank.pointer.deallocate()
    }

    /// Makes the filter bank of all sources, and the spectral field from which it reads filters.
    private static func makeBank(
        _ configuration: StageConfiguration, _ field: FilterField
    ) -> (BankReference, SpectralField) {
        let slice = configuration.slice
        let spectral = SpectralField.shared(field, form: FilterBank.form(of: field, slice: slice))
        let bank = UnsafeMutablePointer<FilterBank>.allocate(capacity: 1)
        bank.initialize(
            to: FilterBank(
                placements: configuration.played, wide: configuration.wideSources.map(\.sources),
                colours: configuration.programmes.map {
                    UpmixColourDesign($0.programme, field: field)?.table()
                        ?? UpmixColourTable(angles: 1, groups: 0, taps: 0)
                },
                field: spectral, fades: configuration.fadesPerSlice))
        return (BankReference(address: UInt(bitPattern: bank)), spectral)
    }

    /// Makes the decoders of a configuration's programmes. A programme of loudspeakers has none (nil).
    private static func makeDecoders(
        _ configuration: StageConfiguration, field: FilterField
    ) -> [AmbisonicRenderer?] {
        let fade = min(configuration.slice, configuration.fadeFrames)
        return configuration.programmes.map { stage in
            stage.programme.field.map { AmbisonicRenderer($0, slice: configuration.slice, fade: fade, field: field) }
        }
    }

    /// Returns the length of the longest transform that a stage with this first field allows, samples.
    ///
    /// - Throws: The reason why the stage cannot render the field.
    static func longest(for field: FilterField, _ configuration: StageConfiguration) throws(RenderingError) -> Int {
        let taps = FilterBank.tapCount(of: field)
        guard taps <= StageConfiguration.mostTaps else {
            throw .filtersTooLong(taps: taps, most: StageConfiguration.mostTaps)
        }
        let tapCount = max(StageConfiguration.usualTaps, taps)
        let longest = FilterForm(slice: configuration.slice, tapCount: tapCount).length
        try check(field, configuration, longest: longest)
        return longest
    }

    /// Throws unless a field has the stage's sample rate, has all shells (measured distances) that the sources use, and
    /// fits the longest transform. `longest` is the length of that transform, samples.
    private static func check(
        _ field: FilterField, _ configuration: StageConfiguration, longest: Int
    ) throws(RenderingError) {
        guard field.sampleRate == configuration.sampleRate else {
            throw .rateMismatch(filters: field.sampleRate, session: configuration.sampleRate)
        }
        for (index, source) in configuration.played.enumerated() {
            guard (0..<field.shellCount).contains(source.shell) else {
                throw .noSuchShell(source: index, shell: source.shell, shells: field.shellCount)
            }
        }
        let taps = FilterBank.tapCount(of: field)
        let most = longest - configuration.slice + 1
        guard taps <= most else { throw .filtersTooLong(taps: taps, most: most) }
    }
}
