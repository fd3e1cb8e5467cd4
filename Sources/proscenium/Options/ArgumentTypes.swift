import ArgumentParser
import Control
import Gate
import Signal
import Stages

// Parsing of other modules' types on the command line.

extension SampleRate: ExpressibleByArgument {
    package static var defaultCompletionKind: CompletionKind { .rates }

    /// Parses a sample rate in hertz.
    package init?(argument: String) {
        guard let hertz = Double(argument), let rate = SampleRate(hertz: hertz) else { return nil }
        self = rate
    }

    /// The default as it would be typed.
    package var defaultValueDescription: String {
        Int(exactly: hertz).map(String.init) ?? String(hertz)
    }
}

/// A number of decibels, with or without the unit: `-3`, `-3dB`.
struct DecibelArgument: ExpressibleByArgument {
    let value: Double

    init(_ value: Double) { self.value = value }

    init?(argument: String) {
        guard let value = Double(argument, unit: "dB") else { return nil }
        self.value = value
    }

    /// The default as it would be typed.
    var defaultValueDescription: String { Int(exactly: value).map(String.init) ?? String(value) }
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

extension LoudnessTarget: ExpressibleByArgument {
    /// Parses `-23`, `-23LUFS`, `line`, `rf` or `off`.
    package init?(argument: String) {
        let number = Double(argument, unit: "LUFS").map { String($0) }
        guard let target = LoudnessTarget(number ?? argument) else { return nil }
        self = target
    }
}
