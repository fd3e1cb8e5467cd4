# Connects the inputs by each pattern given.
. "$(dirname "$0")/common.sh"
for pattern in "$@"; do
    "$FIXTURES/stage-fixture" live --connect-in "$pattern" </dev/null | grep -e connected -e error | sed "s/^/$pattern: /"
done
