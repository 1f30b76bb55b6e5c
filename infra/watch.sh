#!/bin/sh
# watch.sh PORT: runs the function in cargo-lambda's emulator of Lambda, on loopback, until Ctrl-C.
#
# The emulator may run several processes and ends them when the code changes. They share a DynamoDB, which runs beside
# them.
set -eu
port=$1

folder=$(mktemp -d)
mkfifo "$folder/endpoint"
"${CARGO:-cargo}" run --quiet --features local -- dynamodb > "$folder/endpoint" &
dynamodb=$!
trap 'rm -r "$folder"; kill "$dynamodb" 2>/dev/null || true; wait "$dynamodb" || true' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# Nothing arrives if it did not build or start. It has printed the reason.
read -r endpoint < "$folder/endpoint" || exit 1

cat <<TRY
sayso will listen on http://127.0.0.1:$port

Try, from another terminal:
  curl -s http://127.0.0.1:$port/chat -d '{"message": "add coffee 3.50 today"}'
  make invoke PORT=$port EVENT=events/clarify.json

TRY
export AWS_ENDPOINT_URL_DYNAMODB="$endpoint" AWS_REGION=local AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local
cargo-lambda lambda watch --features local --invoke-address 127.0.0.1 --invoke-port "$port" &
watch=$!
trap 'kill "$watch"; wait "$watch"; exit 130' INT
trap 'kill "$watch"; wait "$watch"; exit 143' TERM
wait "$watch" || true
echo "cargo-lambda has ended; if something else listens on 127.0.0.1:$port, set PORT to another port" >&2
exit 1
