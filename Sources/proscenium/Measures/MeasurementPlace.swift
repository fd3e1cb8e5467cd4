import ArgumentParser
import HRTF
import Loading
import Stages

/// The folder of a measurement, and the person that is measured.
struct MeasurementPlace: ParsableArguments {
    @Argument(help: "Folder of the measurement; with --person it may be left out.", completion: .directory)
    var folder: String?
    @Option(
        help: ArgumentHelp(
            "Name of the measurement for --hrtf and --room, or --headphone-eq, on this machine alone.",
            valueName: "name"))
    var person: String?

    func validate() throws {
        guard let person else {
            guard folder != nil else {
                throw ValidationError("name the folder of the measurement, or the person: --person NAME")
            }
            return
        }
        guard MeasuredPeople.isName(person) else {
            throw ValidationError("--person takes a name of \(MeasuredPeople.form), not '\(person)'")
        }
        guard !MakingName.hides(person) else {
            throw ValidationError(
                "--person: '\(person)' is the name of a set or a room that the program knows already; choose another")
        }
    }

    /// Returns the folder to measure in: the typed one, else that of the person.
    ///
    /// - Throws: an error if the person was measured in another folder, or the folder cannot be made.
    func begin(_ part: MeasuredPerson.Part) throws -> String {
        guard let person, let people = DataFolders.library.people else { return folder ?? "" }
        do throws(HRTFError) { return try people.begin(part, of: person, in: folder) } catch {
            throw SessionError(error)
        }
    }

    /// Gives the person's name to the finished measurement in the typed folder.
    func enter(_ part: MeasuredPerson.Part) throws {
        guard let person, let folder, let people = DataFolders.library.people else { return }
        do throws(HRTFError) { try people.enter(part, of: person, at: folder) } catch { throw SessionError(error) }
    }
}
