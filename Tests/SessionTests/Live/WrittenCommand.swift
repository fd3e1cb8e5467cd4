import Desk
import Stages

extension SessionCommand {
    /// Returns the command that sets a parameter to a value, written as on the command line, for one input or (nil) all
    /// inputs.
    static func set(_ name: String, _ written: String, of input: String? = nil) throws -> SessionCommand {
        .set(try ParameterChange(name, [written], input: input))
    }
}
