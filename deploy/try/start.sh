#!/bin/sh
# The first start sets the club up; every start runs it.
set -eu
cd /var/lib/tkid
if [ ! -e club/host.toml ]; then
  tkid host init club --address tkid@club.test --owner owner@club.test --store postgresql://tkid:try@database/tkid
  cat /try/host.toml >>club/host.toml
fi
exec tkid host run club
