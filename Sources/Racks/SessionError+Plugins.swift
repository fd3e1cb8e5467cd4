import Loading
import PluginHost

extension SessionError {
    /// Converts an error of a plugin. It is a usage error if the request names an unknown plugin, something that the
    /// plugin lacks, or a value that it does not accept.
    package init(_ error: PluginError) {
        switch error {
        case .unknown, .noControl, .badValue, .noPreset, .noProperty, .noMIDI: self.init(.usage, error.description)
        case .badBundle, .refused, .failed, .state: self.init(.input, error.description)
        case .noChild: self.init(.environment, error.description)
        }
    }
}
