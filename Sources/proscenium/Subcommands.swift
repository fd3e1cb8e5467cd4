import ArgumentParser

extension Proscenium {
    /// In the order `--help` shows them.
    static let subcommands: [any ParsableCommand.Type] = [SOFACommand.self, HRTFCommand.self]
}
