#!/bin/sh
# Makes the two users and the database, when the database container starts for the first time.
set -eu
# On lines of their own: what cannot be read ends this, and makes no user without a password.
owner=$(cat /run/secrets/owner)
service=$(cat /run/secrets/service)
psql -v ON_ERROR_STOP=1 -U postgres -v owner="$owner" -v service="$service" <<'SQL'
create role caudal_owner login password :'owner';
create role caudal_service login password :'service';
create database caudal owner caudal_owner encoding 'UTF8' template template0;
grant pg_monitor to caudal_service;
SQL
