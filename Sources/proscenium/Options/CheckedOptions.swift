import ArgumentParser

/// Options that are checked together, once the typed values and those of files are in place.
///
/// The parser checks options as soon as it has read the typed words. If values of files follow, this check is left out,
/// and made after them.
protocol CheckedOptions: ParsableArguments {
    /// Throws `ValidationError` for values out of range, and for options that do not fit together.
    func check() throws
}

extension CheckedOptions {
    func validate() throws {
        if !DeferredChecks.isInForce { try check() }
    }
}

/// Whether values of files follow the typed words that the parser reads.
enum DeferredChecks {
    /// Whether the checks of `CheckedOptions` are left out in this task.
    @TaskLocal static var isInForce = false
}

/// Options that a group declares in a table, not as properties.
protocol TabledOptions: ParsableArguments {
    /// Returns the group with the values of options that were not typed.
    func filled(with values: [String: [String]]) -> Self
}

/// Value of an option that tells why it refuses a text.
protocol ReasonedOption {
    /// Reads a text; throws an error whose description is the reason.
    static func read(_ written: String) throws -> Self
}
