import Foundation
import Processes

/// Child process of a scan. It announces each bundle, describes the bundle and sends the record.
package enum ScanningChild {
    /// Prefix of the line that announces a bundle, before its path.
    static let beginning = "begin "

    /// Describes bundles one after the other, and sends their records.
    package static func describe(_ bundles: [String], by backend: any PluginBackend, to parent: ParentLine) {
        for bundle in bundles {
            parent.begin()
            parent.say(beginning + bundle)
            let record: BundleRecord
            do throws(PluginError) {
                let plugins = try backend.describe(bundle: bundle)
                record = BundleRecord(
                    bundle: bundle, plugins: plugins, presetOwners: backend.presetOwners(of: bundle),
                    words: parent.words)
            } catch {
                let reason = if case .badBundle(_, let reason) = error { reason } else { error.description }
                record = BundleRecord(
                    bundle: bundle, fault: BundleFault(kind: .wrong, reason: reason), words: parent.words)
            }
            for line in record.allLines { parent.say(String(decoding: line, as: UTF8.self)) }
        }
    }
}
