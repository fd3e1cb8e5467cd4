import ArgumentParser
import Control
import Signal

// Parsing of other modules' types on the command line.

extension SampleRate: ExpressibleByArgument {
    /// Parses a sample rate in hertz.
    package init?(argument: String) {
        guard let hertz = Double(argument), let rate = SampleRate(hertz: hertz) else { return nil }
        self = rate
    }

    /// The default as it would be typed.
    package var defaultValueDescription: String {
        hertz == hertz.rounded() ? String(Int(hertz)) : String(hertz)
    }
}

extension ControlAddress: ExpressibleByArgument {
    /// Parses a port, or an address and a port.
    package init?(argument: String) {
        guard let address = ControlAddress(argument) else { return nil }
        self = address
    }

    /// The default as it would be typed.
    package var defaultValueDescription: String {
        host == ControlAddress(port: port).host ? String(port) : description
    }
}
