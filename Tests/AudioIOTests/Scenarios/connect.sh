# Connects the outputs by each pattern given.
. "$(dirname "$0")/common.sh"
for pattern in "$@"; do
    "$FIXTURES/stage-fixture" live --connect "$pattern" </dev/null | grep -e connected -e error | sed "s/^/$pattern: /"
done
stage_start
jack_lsp -c proscenium | sed 's/^/unasked: /'
stage_quit
