#!/bin/sh
# Computes generic-signatures.json again: HMAC-SHA256 of bodies by openssl and by the standard libraries of Python, Perl and Go. Fails
# when two of them differ. The tests read the file, so that they need none of these programs.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/sign.py" <<'PY'
import hashlib, hmac, sys
print(hmac.new(sys.argv[1].encode(), open(sys.argv[2], "rb").read(), hashlib.sha256).hexdigest())
PY
cat >"$work/sign.pl" <<'PL'
use Digest::SHA qw(hmac_sha256_hex);
open(my $file, '<:raw', $ARGV[1]); local $/; print hmac_sha256_hex(<$file> // '', $ARGV[0]), "\n";
PL
cat >"$work/sign.go" <<'GO'
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
)

func main() {
	body, _ := os.ReadFile(os.Args[2])
	mac := hmac.New(sha256.New, []byte(os.Args[1]))
	mac.Write(body)
	fmt.Println(hex.EncodeToString(mac.Sum(nil)))
}
GO
(cd "$work" && go build -o sign-go sign.go)

# $1 is the secret, $2 what follows in the list. The body is read from stdin.
vector() {
  file="$work/body"
  cat >"$file"
  expected=$(openssl dgst -sha256 -hmac "$1" -r "$file" | cut -d ' ' -f 1)
  for other in "$(python3 "$work/sign.py" "$1" "$file")" "$(perl "$work/sign.pl" "$1" "$file")" "$("$work/sign-go" "$1" "$file")"; do
    [ "$other" = "$expected" ] || { echo "The programs differ for $1" >&2; exit 1; }
  done
  printf '  { "secret": "%s", "body": "%s", "signature": "sha256=%s" }%s\n' "$1" "$(base64 -w 0 "$file")" "$expected" "$2"
}

{
  printf '[\n'
  printf '{"event_id":"evt_1","email":"ada@example.com","amount_minor":4900,"currency":"EUR","type":"purchase","original_transaction_id":null,"timestamp":"2026-11-22T12:00:00Z"}' |
    vector 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwqfK8hJ8vLk4=' ,
  printf '{\r\n\t"event_id" : "\\u00e9vt \360\237\222\266",\r\n\t"email":"\303\274@example.com"\r\n}\r\n\n' |
    vector 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' ,
  printf '' | vector 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' ,
  printf '\000\377\376 no JSON' | vector 'a secret that is longer than the 64 bytes of a block of SHA-256, so that it is hashed first' ''
  printf ']\n'
} >generic-signatures.json
