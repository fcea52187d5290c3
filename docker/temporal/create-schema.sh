#!/bin/sh
# Brings the schemas of Temporal's two databases up to date. Safe to run at every start.
set -eu

prepare() {
  database=$1
  schema=/etc/temporal/schema/postgresql/v12/$2/versioned
  run() { temporal-sql-tool --plugin postgres12 --endpoint postgres --port 5432 --user temporal --database "$database" "$@"; }
  run setup-schema --version 0.0 || echo "$database has a schema already"
  run update-schema --schema-dir "$schema"
}

prepare temporal temporal
prepare temporal_visibility visibility
