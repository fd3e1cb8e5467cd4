"""How far a session has come, by what it answers to `status`: an object, or None where it does not answer.

A session answers from its start on: while it prepares what it plays, with its phase alone.
"""


def has_stage(state):
    """Whether there is a stage whose state this is; it may miss its server."""
    return bool(state) and "client" in state


def words(state):
    """The phase and what is being prepared, in words."""
    if not state:
        return "not answering"
    preparing, seconds = state.get("preparing"), state.get("preparingFor")
    return state["phase"] + (f": {preparing}" if preparing else "") + (f", for {seconds:.0f} s" if preparing and seconds else "")
