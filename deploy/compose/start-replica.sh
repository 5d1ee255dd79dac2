#!/bin/sh
# Copies the primary at the first start, and follows it afterwards.
set -eu
PGPASSWORD=$(cat /run/secrets/database-password)
export PGPASSWORD
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  pg_basebackup --dbname 'host=primary user=gazetteer application_name=replica' \
    --pgdata "$PGDATA" --wal-method stream --write-recovery-conf
  chmod 0700 "$PGDATA"
fi
exec postgres
