"""Phase of a session's start, from its answer to `status`: an object, or None without an answer.

A session answers from its start on; during preparation the answer has only its phase.
"""


def has_stage(state):
    """Whether the state is that of a stage, with or without a server."""
    return bool(state) and "client" in state


def words(state):
    """Returns the phase and the preparation in progress as text."""
    if not state:
        return "not answering"
    preparing, seconds = state.get("preparing"), state.get("preparingFor")
    return state["phase"] + (f": {preparing}" if preparing else "") + (f", for {seconds:.0f} s" if preparing and seconds else "")
