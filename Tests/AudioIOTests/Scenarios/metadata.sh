# Prints ports and metadata while the stage runs, and the metadata after it closed.
. "$(dirname "$0")/common.sh"
stage_start "$@"
jack_lsp -p proscenium
jack_property -l | sed 's/^/property /'
stage_quit
jack_property -l | sed 's/^/left /'
jack_lsp proscenium | sed 's/^/left /'
