import PluginHost
import Racks
import Stages
import Synchronization

/// What the controls of the plugins that a session has take, by their addresses: for faders. Any
/// thread.
package final class PluginControls: Sendable {
    /// What a control takes.
    package struct Range: Sendable, Equatable {
        /// Least and greatest value.
        package var range: ClosedRange<Double>
        /// Its unit as it is written, empty for none.
        package var unit = ""
        /// Whether it takes whole numbers alone.
        package var isWhole = false
        /// Whether it is on or off, as 1 and 0.
        package var isSwitch = false
        /// Whether it is heard on a logarithmic scale.
        package var isLogarithmic = false

        /// A range.
        package init(_ range: ClosedRange<Double>) { self.range = range }

        /// The same as a number of a parameter.
        package var number: Parameter.Number { Parameter.Number(unit: unit, range: range, isWhole: isWhole) }
    }

    private struct Content {
        var plugins: [ObjectIdentifier] = []
        var ranges: [String: Range] = [:]
    }
    private let content = Mutex(Content())

    /// Of no plugins.
    package init() {}

    /// What a control takes; nil where there is no such plugin or it has none.
    package subscript(_ address: String) -> Range? { content.withLock { $0.ranges[address] } }

    /// These plugins there are now. Soon over where they are those of the last time.
    package func enter(_ inserts: [PluginInsert]) {
        let plugins = inserts.map { ObjectIdentifier($0) }
        guard content.withLock({ $0.plugins != plugins }) else { return }
        var ranges: [String: Range] = [:]
        for insert in inserts {
            for control in insert.instances[0].plugin.controls {
                ranges["plugin/\(insert.name)/set/\(control.symbol)"] = Range(control)
            }
        }
        enter(ranges, of: plugins)
    }

    /// These controls there are now.
    package func enter(_ ranges: [String: Range], of plugins: [ObjectIdentifier] = []) {
        content.withLock { $0 = Content(plugins: plugins, ranges: ranges) }
    }
}

extension PluginControls.Range {
    /// What a plugin says of a control.
    package init(_ control: PluginControl) {
        self.init(Double(control.range.lowerBound)...Double(control.range.upperBound))
        unit = control.unit
        isSwitch = control.kind == .toggle
        // Choices stand at whole numbers; one between is refused, as by any door.
        isWhole = control.kind == .whole || control.kind == .toggle || control.kind == .choice
        isLogarithmic = control.isLogarithmic
    }
}
