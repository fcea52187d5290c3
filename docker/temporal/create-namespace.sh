#!/bin/sh
# Creates the namespace when it is not there. Closed workflows are kept for 90 days.
set -eu

until temporal operator cluster health; do sleep 2; done
temporal operator namespace describe --namespace "$NAMESPACE" ||
  temporal operator namespace create --namespace "$NAMESPACE" --retention 90d
