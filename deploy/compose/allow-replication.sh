#!/bin/sh
# Runs once, when the database is made: lets the replica copy it.
set -eu
echo 'host replication gazetteer samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
