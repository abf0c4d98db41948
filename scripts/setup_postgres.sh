#!/bin/sh
# A PostgreSQL server's programs for the tests of the store of links, by apt where this is Debian and we are root (20 MB). No cluster is made
# and nothing is started: the tests make their own. Where they cannot be had, those tests are skipped with what to do, all others run.
set -u
for initdb in /usr/lib/postgresql/*/bin/initdb; do
  [ -x "$initdb" ] && exit 0
done
command -v initdb > /dev/null 2>&1 && command -v postgres > /dev/null 2>&1 && exit 0
printf '\033[1m==>\033[0m %s\n' "PostgreSQL for the tests"
if command -v apt-get > /dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
  if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf
  fi
  if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Options::=--force-confold postgresql > /dev/null; then
    exit 0
  fi
fi
echo "No PostgreSQL: apt could not install it. Install its server yourself to run the tests of it." >&2
exit 0
