import HRTF
import Loading

/// Finding on the set of head-related responses that plays by default.
extension Doctor {
    static func set(_ facts: MachineFacts) -> Finding {
        switch facts.set {
        case .success(let set): Finding("hrtf", "default set: \(set.name) (\(set.path))")
        case .failure(let error):
            Finding("hrtf", .fault, error.description, cure: cure(error, facts))
        }
    }

    private static func cure(_ error: HRTFError, _ facts: MachineFacts) -> NextStep {
        if !facts.ownSet.isEmpty, error.description.contains(facts.ownSet) {
            return NextStep(
                "Your own default set cannot be played. This puts it aside, and the next one plays.",
                ShellLine(["mv", facts.ownSet, facts.ownSet + ".aside"]).text)
        }
        return error.description.contains(HRTFLibrary.systemDefault)
            ? NextStep(
                "Debian's set of HRTFs cannot be played. This installs it anew.",
                "sudo apt install --reinstall libmysofa1")
            : NextStep("No set of HRTFs can be played. This installs one.", "sudo apt install libmysofa1")
    }
}
