#!/bin/sh
# Makes the two users and the database, when the database container starts for the first time.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -v owner="$(cat /run/secrets/owner)" -v service="$(cat /run/secrets/service)" <<'SQL'
create role caudal_owner login password :'owner';
create role caudal_service login password :'service';
create database caudal owner caudal_owner;
SQL
