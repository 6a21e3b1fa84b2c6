#!/bin/sh
# Build the wheel, install it into a clean environment far from the sources, and play with it.
# Usage: tests/smoke.sh PYTHON FOLDER; PYTHON has pip and hatchling
set -eu
python=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
sources=$(pwd)
rm -rf "$folder/wheel" "$folder/clean" "$folder/play"
mkdir -p "$folder/wheel" "$folder/play"
"$python" -m hatchling build --target wheel --directory "$folder/wheel" # tests/test_build.py builds with nothing but what is asked for
"$python" -m venv --without-pip "$folder/clean"
"$python" -m pip --quiet --disable-pip-version-check --python "$folder/clean" install --no-compile "$folder"/wheel/*.whl

cd "$folder/play"
tkid=$folder/clean/bin/tkid
export PYTHONSAFEPATH=1
"$folder/clean/bin/python" - "$sources" <<'CHECK'
import pathlib, sys, tkid
from tkid.notation import line_parser
assert not pathlib.Path(tkid.__file__).is_relative_to(sys.argv[1] + "/tkid"), tkid.__file__
assert line_parser.INSTALLED.is_dir(), "the grammar files are not in the wheel"
CHECK
"$tkid" --version
"$tkid" > /dev/null
"$tkid" new game.tkid "Ann <ann@example.org>" Bob > /dev/null
"$tkid" show game.tkid > /dev/null
turn=$("$tkid" legal game.tkid | sed -n 's/^    //p' | head -1)
if "$tkid" play game.tkid "${turn%%;*}" > /dev/null 2>&1; then echo "an action without a summons was played"; exit 1; fi
"$tkid" play game.tkid "$turn" > /dev/null
"$tkid" play game.tkid Pass > /dev/null
"$tkid" check game.tkid
"$tkid" fmt --check game.tkid > /dev/null
"$tkid" replay game.tkid --json | "$folder/clean/bin/python" -c 'import json, sys; [json.loads(line) for line in sys.stdin]'
"$tkid" render game.tkid -o board.svg > /dev/null
"$tkid" render game.tkid -o game.html > /dev/null
"$tkid" render game.tkid --click -o turn.html > /dev/null
"$tkid" rule second.partial.in-full > /dev/null
"$tkid" conformance --export suite.zip > /dev/null
"$tkid" conformance --ruleset manual > /dev/null
start=$(XDG_CACHE_HOME="$folder/play/cache" "$tkid" docs --address)
test -f "${start#file://}"
test -f "$(dirname "${start#file://}")/rules/second/partial/in-full/index.html"
"$tkid" check "$sources"/fixtures/games/*/whole-game-for-2.tkid > /dev/null # of each ruleset
cp "$sources/fixtures/mail/game.tkid" mail.tkid
"$tkid" mail read mail.tkid "$sources/fixtures/mail/reply.eml" -o answer.eml > /dev/null
grep -q '^In-Reply-To:' answer.eml
echo "the built wheel works in a clean environment"
