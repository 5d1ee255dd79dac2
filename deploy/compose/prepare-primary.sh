#!/bin/sh
# Runs once, when the database is created: lets the replica copy it, and makes each commit wait for the replica.
set -eu
echo 'host replication gazetteer samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --command "ALTER SYSTEM SET synchronous_standby_names = '*'"
