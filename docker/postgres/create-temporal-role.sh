#!/bin/sh
# Runs once, when the database server is first started: Temporal keeps its data here under a role of its own.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$TEMPORAL_DATABASE_PASSWORD" <<'SQL'
create role temporal login createdb password :'password';
SQL
