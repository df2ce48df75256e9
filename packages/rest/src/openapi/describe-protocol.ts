// What holds for every operation, as sections of the document's description.

export interface ProtocolLimits {
  /** Of each account, over all its keys and surfaces. */
  rateLimit: { requests: number; windowSeconds: number };
  /** How long the answer to an Idempotency-Key is kept. */
  idempotencyWindowHours: number;
}

export const describeProtocol = ({ rateLimit, idempotencyWindowHours }: ProtocolLimits): string =>
  `# Authentication

Send \`Authorization: Bearer <API key>\` with every request. Keys are made in the dashboard under Settings, API keys; each has scopes and
belongs to one workspace. Every operation says the scope it needs (\`x-required-scope\`). A request without a key that may do the thing is
answered \`401\` with \`Invalid API key\`, whatever the reason: the answer tells nobody whether a key exists.

While a workspace is suspended by the operator of the service, every request with one of its keys is answered \`403 account_suspended\`, and its
webhooks wait. They are sent when the workspace is resumed.

# Requests and answers

Bodies are JSON objects in UTF-8 with \`Content-Type: application/json\`, 1 MiB at most. Nothing is coerced, and fields and query parameters
that are not known are refused by name, as are texts with control characters other than tab and line breaks. A path has one spelling, in lower
case and without doubled slashes. One object is answered as \`{"data": {...}}\`. Times are ISO 8601 in UTC with milliseconds; ids are
UUIDs. \`HEAD\` answers like \`GET\` without the body. \`X-Request-Id\` is on every answer; send your own (letters, digits, \`_\`, \`.\`, \`-\`) to
have it echoed.

# Pagination

A list is answered as \`{"data": [...], "pagination": {"nextCursor", "hasMore"}}\`, newest first. Pass \`nextCursor\` as \`cursor\` for the next
page, with the same account and filters, or follow \`Link: <url>; rel="next"\`. Rows that come and go in between shift nothing.

# Idempotency

Any write can carry \`Idempotency-Key\`: 1 to 255 visible ASCII characters, unique per thing you want done. The first answer is kept for
${idempotencyWindowHours} hours; the same request again gets it again, with \`Idempotent-Replayed: true\`, and nothing is done twice. The same key with another
request is \`409 idempotency_key_reused\`; while the first is still being worked on it is \`409 idempotency_in_progress\` with \`Retry-After\`.
Keys belong to the account. Answers of \`400\`, \`401\`, \`429\` and \`5xx\` are not kept: send again with the same key. An account has 256 MB
for kept answers, compressed. Beyond that a new key is refused with \`429 idempotency_storage_full\` before anything is done; writes without a
key, and repeats of kept ones, go on.

# Rate limits

An account may make ${rateLimit.requests} requests per ${rateLimit.windowSeconds} seconds, over REST and MCP together and whatever the number of its keys. \`X-RateLimit-Limit\`,
\`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` are on every authenticated answer. Past the limit the answer is \`429\` with \`Retry-After\`.

# Unavailable

\`503\` comes with \`Retry-After\`. \`service_busy\`: the account has so many calls in progress that this one would have waited too long.
\`service_unavailable\`: the database could not be reached. \`outcome_unknown\`: the connection to the database was lost while a change was
being saved, so it may or may not have been saved. Repeat a write with the same \`Idempotency-Key\`: it is never done twice.

# Caching

Every \`GET\` carries an \`ETag\`. Send it back as \`If-None-Match\`: while nothing has changed the answer is \`304\` without a body. It counts as a
request like any other.

# Versioning and deprecation

The version is in the path. Within it, answers and webhooks gain fields, enumerations gain values, and error codes are added: ignore what
you do not know. Nothing is removed or renamed. An operation that is going to go is marked \`deprecated\` here and answers with \`Deprecation\`
(RFC 9745), \`Sunset\` (RFC 8594) and, where there is one, \`Link\` to its successor, for at least six months.`;
