#!/bin/sh
# What `make demo` shows: a position, a mail that becomes a turn, the answer to it, mistakes, recorded games, and a
# host that plays a whole game by mail; its mails are left in the folder that is named.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp fixtures/mail/game.tkid fixtures/mail/reply.eml "$folder"

step() { printf '\n\n# %s\n' "$1"; }
run() { printf '$ tkid'; printf ' %s' "$@"; printf '\n'; (cd "$folder" && tkid "$@"); }

step "A game is a text file. This is the position in it:"
run show game.tkid
step "A player answers by mail, with any mail program:"
cat "$folder/reply.eml"
step "tkid finds the turn in it, checks it, plays it and writes the answer:"
run mail read game.tkid reply.eml -o answer.eml
step "The answer, but for the same in HTML, and the game file, which follow:"
sed '/^Content-Type: text\/html/,$d' "$folder/answer.eml" | grep -v '^--=\|^Content-\|^MIME-'
step "A mistake changes nothing, and is explained:"
run play game.tkid "Manoeuvre S Moray <> E Devno; summon W Gwynedd" || true
step "Why may that not be played?"
run why-not game.tkid "Outmanoeuvre S Moray <> WW Essex" || true
step "The recorded games that come with tkid, one for each way to end, are all valid:"
(cd fixtures/games && tkid check */*.tkid)
step "And why did this one end so?"
cp fixtures/games/second-edition/coronation-emptied-teams.tkid "$folder/teams.tkid"
run why teams.tkid
step "Every message cites a rule, and every rule can be read:"
run rule second.partial.in-full
step "A host plays a whole short game between two mailboxes. The mails as they pass:"
python tests/demo_host.py "$1"
