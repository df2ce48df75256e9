// The check of a signature by an endpoint. The header is `sha256=` and the hex HMAC-SHA256 of the raw body; the whole secret is the key.

export const signatureHeader = 'X-Service-Signature';

interface VerifySample {
  label: string;
  /** Names the raw body in frameworks of this language. */
  hint: string;
  code: string;
}

export const verifySamples: readonly VerifySample[] = [
  {
    label: 'Node',
    hint: 'rawBody is the Buffer that arrived, before a JSON parser: express.raw({ type: "application/json" }).',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isSigned(rawBody, header, secret) {
  const hex = createHmac('sha256', secret).update(rawBody).digest('hex');
  const expected = Buffer.from('sha256=' + hex);
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}`,
  },
  {
    label: 'Python',
    hint: 'raw_body is the bytes that arrived: request.get_data() in Flask, request.body in Django.',
    code: `import hashlib
import hmac


def is_signed(raw_body: bytes, header: str | None, secret: str) -> bool:
    digest = hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"sha256={digest}".encode(), (header or "").encode())`,
  },
  {
    label: 'PHP',
    hint: 'php://input has the body that arrived. The header is in $_SERVER["HTTP_X_SERVICE_SIGNATURE"].',
    code: `<?php
function isSigned(string $rawBody, ?string $header, string $secret): bool
{
    $expected = 'sha256=' . hash_hmac('sha256', $rawBody, $secret);
    return hash_equals($expected, $header ?? '');
}

$isSigned = isSigned(
    file_get_contents('php://input'),
    $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? null,
    $secret,
);`,
  },
  {
    label: 'Go',
    hint: 'rawBody is the result of io.ReadAll(r.Body), before it is decoded.',
    code: `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

func IsSigned(rawBody []byte, header, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(header), []byte(expected))
}`,
  },
  {
    label: 'Ruby',
    hint: 'raw_body is request.raw_post in Rails, request.body.read in Sinatra.',
    code: `require "openssl"

def signed?(raw_body, header, secret)
  expected = "sha256=" + OpenSSL::HMAC.hexdigest("SHA256", secret, raw_body)
  OpenSSL.secure_compare(expected, header.to_s)
end`,
  },
  {
    label: 'curl',
    hint: 'Sends a body that you sign yourself, to try the check of your endpoint. Set SECRET and URL first.',
    code: `BODY='{"event_type":"registered","is_test":true}'
DIGEST=$(printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')
curl -X POST "$URL" -H 'Content-Type: application/json' \\
  -H "X-Service-Signature: sha256=$DIGEST" --data-raw "$BODY"`,
  },
];
