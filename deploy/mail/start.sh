#!/bin/sh
# Both servers in the foreground; where one ends, so does the container.
set -eu
dovecot -F -c /etc/club/dovecot.conf &
mailboxes=$!
exim4 -C /etc/club/exim.conf -bdf -q10s &
trap 'kill "$mailboxes" $! 2>/dev/null' TERM INT EXIT
while kill -0 "$mailboxes" 2>/dev/null && kill -0 $! 2>/dev/null; do
  sleep 1
done
