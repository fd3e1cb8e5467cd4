import PluginHost
import Racks
import Stages
import Synchronization

/// Ranges of the plugins' controls in a session, by address, for faders. All functions may be called on any thread.
package final class PluginControls: Sendable {
    /// Range and kind of a control's values.
    package struct Range: Sendable, Equatable {
        /// Least and greatest value.
        package var range: ClosedRange<Double>
        /// Unit as text; empty without one.
        package var unit = ""
        /// Whether only whole numbers are valid.
        package var isWhole = false
        /// Whether the control is a switch: 1 on, 0 off.
        package var isSwitch = false
        /// Whether the control has a logarithmic scale.
        package var isLogarithmic = false

        /// Creates a linear range without a unit.
        package init(_ range: ClosedRange<Double>) { self.range = range }

        /// The range in the form in which a parameter describes its numbers.
        package var number: Parameter.Number { Parameter.Number(unit: unit, range: range, isWhole: isWhole) }
    }

    private struct Content {
        var plugins: [ObjectIdentifier] = []
        var ranges: [String: Range] = [:]
    }
    private let content = Mutex(Content())

    /// Creates a table without plugins.
    package init() {}

    /// Returns the range of a control; nil if there is no such plugin or control.
    package subscript(_ address: String) -> Range? { content.withLock { $0.ranges[address] } }

    /// Replaces the table by the controls of these plugins. Does nothing if the plugins are the same as at the last
    /// call.
    package func enter(_ inserts: [PluginInsert]) {
        let plugins = inserts.map { ObjectIdentifier($0) }
        guard content.withLock({ $0.plugins != plugins }) else { return }
        var ranges: [String: Range] = [:]
        for insert in inserts {
            for control in insert.instances[0].plugin.controls {
                ranges[StateAddress.control(plugin: insert.name, symbol: control.symbol).text] = Range(control)
            }
        }
        enter(ranges, of: plugins)
    }

    /// Replaces the table by these ranges.
    package func enter(_ ranges: [String: Range], of plugins: [ObjectIdentifier] = []) {
        content.withLock { $0 = Content(plugins: plugins, ranges: ranges) }
    }
}

extension PluginControls.Range {
    /// Creates the range that a plugin declares for a control.
    package init(_ control: PluginControl) {
        self.init(Double(control.range.lowerBound)...Double(control.range.upperBound))
        unit = control.unit
        isSwitch = control.kind == .toggle
        // Choices are whole numbers. A value between two of them is refused, as on every control interface.
        isWhole = control.kind == .whole || control.kind == .toggle || control.kind == .choice
        isLogarithmic = control.isLogarithmic
    }
}
