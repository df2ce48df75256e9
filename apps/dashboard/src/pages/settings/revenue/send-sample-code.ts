// Requests with a signed revenue event. The header is `sha256=` and the hex HMAC-SHA256 of the exact body; the whole secret is the key.

export const signatureHeader = 'X-Service-Signature';

interface SendSample {
  label: string;
  /** Needed to run it. */
  hint: string;
  code: string;
}

type Fields = readonly (readonly [name: string, value: string | number | null])[];

/** The fields of an order and of its refund. Each event has an id of its own, so the id of an order alone is not enough. */
const events: Record<'purchase' | 'refund', Fields> = {
  purchase: [
    ['event_id', 'order_1001:paid'],
    ['type', 'purchase'],
    ['email', 'ada@example.com'],
    ['amount_minor', 7900],
    ['currency', 'EUR'],
    ['original_transaction_id', null],
  ],
  refund: [
    ['event_id', 'order_1001:refund_1'],
    ['type', 'refund'],
    ['email', 'ada@example.com'],
    ['amount_minor', -2900],
    ['currency', 'EUR'],
    ['original_transaction_id', 'order_1001:paid'],
  ],
};

/** Code that sends a purchase or its refund to the address of the source, in four languages. */
export const sendSamples = (url: string, type: keyof typeof events): readonly SendSample[] =>
  samplesOf(url, events[type]);

const samplesOf = (url: string, fields: Fields): readonly SendSample[] => [
  {
    label: 'curl',
    hint: 'Needs openssl. Put the secret into the variable SECRET first.',
    code: `BODY='{${fields.map(([name, value]) => `"${name}":${JSON.stringify(value)}`).join(',')},"timestamp":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"}'
SIGNATURE=$(printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')
curl -X POST '${url}' -H 'Content-Type: application/json' \\
  -H "${signatureHeader}: sha256=$SIGNATURE" --data-raw "$BODY"`,
  },
  {
    label: 'Node',
    hint: 'Needs no package. The secret is in the environment variable SECRET.',
    code: `import { createHmac } from 'node:crypto';

const body = JSON.stringify({
${fields.map(([name, value]) => `  ${name}: ${literal(value, 'null')},`).join('\n')}
  timestamp: new Date().toISOString(),
});
const signature = createHmac('sha256', process.env.SECRET).update(body).digest('hex');
const response = await fetch('${url}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', '${signatureHeader}': 'sha256=' + signature },
  body,
});
console.log(response.status, await response.text());`,
  },
  {
    label: 'Python',
    hint: 'Needs no package. The secret is in the environment variable SECRET.',
    code: `import hashlib
import hmac
import json
import os
from datetime import datetime, timezone
from urllib.request import Request, urlopen

body = json.dumps({
${fields.map(([name, value]) => `    "${name}": ${literal(value, 'None')},`).join('\n')}
    "timestamp": datetime.now(timezone.utc).isoformat(),
}).encode()
signature = hmac.new(os.environ["SECRET"].encode(), body, hashlib.sha256).hexdigest()
headers = {"Content-Type": "application/json", "${signatureHeader}": f"sha256={signature}"}
with urlopen(Request("${url}", data=body, headers=headers)) as response:
    print(response.status, response.read().decode())`,
  },
  {
    label: 'PHP',
    hint: 'Needs the extension curl. The secret is in the environment variable SECRET.',
    code: `<?php
$body = json_encode([
${fields.map(([name, value]) => `    '${name}' => ${literal(value, 'null')},`).join('\n')}
    'timestamp' => gmdate('Y-m-d\\TH:i:s\\Z'),
]);
$signature = hash_hmac('sha256', $body, getenv('SECRET'));
$request = curl_init('${url}');
curl_setopt_array($request, [
    CURLOPT_POSTFIELDS => $body,
    CURLOPT_HTTPHEADER => ['Content-Type: application/json', "${signatureHeader}: sha256=$signature"],
]);
curl_exec($request);`,
  },
];

/** A value in the notation of a language. */
const literal = (value: string | number | null, none: string): string => {
  if (value === null) return none;
  return typeof value === 'number' ? String(value) : none === 'None' ? `"${value}"` : `'${value}'`;
};
