import Desk
import Gate
import Racks
import SavedSessions
import Stages

/// The values and the chains of a saved session, as `render` applies them. The options of the session are in the
/// recipe.
struct RenderedSession {
    /// Values to apply to the stage, by address.
    private(set) var values: [ParameterChange] = []
    /// The plugins; nil if no chains are saved.
    let plugins: [PluginRequest]?
    /// Parts of the session that are left out, a sentence each.
    private(set) var remarks: [String] = []

    /// Reads a session's folder.
    ///
    /// - Parameters:
    ///   - options: plugins that were typed or are in the config file.
    ///   - typed: typed options, which take precedence.
    /// - Throws: `SessionError` if the folder cannot be read.
    init(folder: String, _ options: PluginOptions, typed: TypedOptions) throws {
        plugins = try SessionFiles.hasChains(in: folder) ? options.chains(in: folder, typed: typed) : nil
        guard let saved = try SessionDocument(folder: folder) else { return }
        var absent: Set<String> = []
        if case .list(let inputs)? = saved.options["input"] {
            for input in inputs.compactMap(\.text) { absent.insert(String(input.prefix { $0 != "=" })) }
        }
        for name in absent.sorted() {
            remarks.append(
                "input '\(name)' is left out: a render has the main programme and the effects, and no other inputs")
        }
        var former = saved.former(but: TypedAddresses(of: typed.kept))
        // A render uses the modes that the inputs had before a comparison.
        for (address, mode) in former {
            guard case .modeBefore(let name) = StateAddress(address) else { continue }
            former[address] = nil
            former[StateAddress.input(name, "mode").text] = mode
        }
        for (address, value) in former.sorted(by: { $0.key < $1.key }) {
            if case .input(let name, _) = StateAddress(address), absent.contains(name) { continue }
            do throws(ParameterError) {
                // An address that cannot be set is skipped: it was reported when the folder was read.
                if case .set(let change)? = try StateAddress(address).command(value) { values.append(change) }
            } catch {
                remarks.append("\(address) \(value.written.joined(separator: " ")) cannot be applied here: \(error)")
            }
        }
    }
}
