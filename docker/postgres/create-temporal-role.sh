#!/bin/sh
# Runs once, when the database server is first started: Temporal keeps its data here, in two databases of its own that nobody else
# can connect to, under a role that reaches no other.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$TEMPORAL_DATABASE_PASSWORD" <<'SQL'
create role temporal login password :'password';
create database temporal owner temporal;
create database temporal_visibility owner temporal;
revoke all on database temporal, temporal_visibility, postgres, template1 from public;
SQL
