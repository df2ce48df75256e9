// The description of the document: the sections for all operations, and the list of error codes.
import { allScopes, scopes } from '@service/catalogue';
import { httpStatusByKind, type ErrorCatalogue } from '@service/errors';

export interface ProtocolLimits {
  /** For each account, over all its keys, connectors and surfaces. */
  rateLimit: { requests: number; windowSeconds: number };
  /** The answer to an Idempotency-Key is kept for this time. */
  idempotencyWindowHours: number;
}

export const describeProtocol = ({ rateLimit, idempotencyWindowHours }: ProtocolLimits): string =>
  `# Authentication

Send \`Authorization: Bearer <API key>\` with every request. Create keys in the dashboard under Settings, API keys. A key belongs to one
workspace and has scopes. Every operation names the scope that it needs (\`x-required-scope\`). Its description says when it needs a
further one for what the body or the record asks. A request without a valid key for the
operation is answered \`401\` with \`Invalid API key\`. The answer does not contain the reason, so it does not show whether a key exists.

| Scope | Permission |
|---|---|
${allScopes.map((scope) => `| \`${scope}\` | ${scopes[scope]} |`).join('\n')}

While the operator of the service has suspended a workspace, every request with one of its keys is answered \`403 account_suspended\`, and its
webhooks are not sent. They are sent after the workspace is resumed.

# Requests and answers

Bodies are JSON objects in UTF-8 with \`Content-Type: application/json\`, 1 MiB at most. Values are not converted to other types. Unknown
fields and query parameters are refused by name, and so are texts with control characters other than tab and line breaks. Paths are
lower-case and have no double slashes. An object is answered as \`{"data": {...}}\`. Times are ISO 8601 in UTC with milliseconds. Ids are
UUIDs. \`HEAD\` is answered like \`GET\`, without the body. Every answer has an \`X-Request-Id\`. If you send one (letters, digits, \`_\`, \`.\`,
\`-\`), the answer repeats it.

# Pagination

A list is answered as \`{"data": [...], "pagination": {"nextCursor", "hasMore"}}\`, newest first. For the next page send \`nextCursor\` as
\`cursor\` with the same account and filters, or follow \`Link: <url>; rel="next"\`. Items that are added or removed meanwhile do not shift the
pages. A page of large items ends before its limit, at about 128 kB.

# Idempotency

Every write accepts an \`Idempotency-Key\`: 1 to 255 visible ASCII characters. Use a new key for each write. The first answer is kept for
${idempotencyWindowHours} hours. A retry of the same request gets this answer again, with \`Idempotent-Replayed: true\`, and changes nothing. Another
request with the same key is answered \`409 idempotency_key_reused\`. While the first request is being processed, a retry is answered
\`409 idempotency_in_progress\` with \`Retry-After\`. Keys belong to the account. Answers with \`400\`, \`401\`, \`429\` and \`5xx\` are not kept: retry
with the same key. An account can keep 256 MB of compressed answers. Beyond that, a request with a new key is answered
\`429 idempotency_storage_full\` and changes nothing. Writes without a key, and retries of kept answers, are not affected.

# Rate limits

An account may make ${rateLimit.requests} requests per ${rateLimit.windowSeconds} seconds, over REST and MCP together and over all its keys and connectors. Every authenticated answer has
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. Further requests are answered \`429\` with \`Retry-After\`.
An address that goes on after many refusals gets further \`401\`, \`403\`, \`413\` and \`429\` a second late; its other answers are not late.

# Unavailable

\`503\` is answered with \`Retry-After\`. \`service_busy\`: the account has too many calls in progress, or has used more than its share of the
service for some time. \`query_timeout\`: a read took more than 5 s. \`service_unavailable\`: the service cannot reach its database. \`writes_unavailable\`: the service can read, but not save. \`outcome_unknown\`: the connection to the database was lost
while a change was being saved, so it may or may not have been saved. Retry a write with the same \`Idempotency-Key\`: it is never done
twice.

# Caching

Every answer to \`GET\` has an \`ETag\`. Send it as \`If-None-Match\` in the next request: while the data has not changed, the answer is \`304\`
without a body. Such a request counts in the rate limit.

# Simultaneous changes

The \`ETag\` of a record that can be changed with \`PATCH\` begins with the version of the record. Send it as \`If-Match\` with the \`PATCH\`:
if the record was edited in the meantime, the answer is \`412 precondition_failed\`, nothing is changed, and \`data\` is the current record with
its new \`ETag\`. Only edits change the version, not the health of an endpoint or the next session of a webinar. Without \`If-Match\` the last
change wins.

# Versioning and deprecation

The path contains the version. Within a version, answers and webhooks may gain fields, enumerations may gain values, and error codes may be
added: ignore the ones that you do not know. Nothing is removed or renamed. A deprecated operation is marked \`deprecated\` here. For at least
six months its answers have \`Deprecation\` (RFC 9745), \`Sunset\` (RFC 8594) and, if there is one, a \`Link\` to the successor.`;

/** A map of every code to its status and message, for programs. */
export const listErrorCodes = (errors: ErrorCatalogue): Record<string, { status: number; message: string }> =>
  Object.fromEntries(
    sortedCodes(errors).map(([code, { kind, message }]) => [
      code,
      { status: httpStatusByKind[kind], message },
    ]),
  );

/**
 * A heading for each code. The docs page makes it an anchor, which `docUrl` refers to. The heading has spaces, since the index of
 * the page reads underscores as emphasis.
 */
export function describeErrors(errors: ErrorCatalogue): string {
  const entries = sortedCodes(errors).map(
    ([code, { kind, message }]) =>
      `## ${inWords(code)}\n\n\`${code}\`, status \`${httpStatusByKind[kind]}\`: ${message}`,
  );
  return ['# Errors', errorIntroduction, ...entries].join('\n\n');
}

const inWords = (code: string): string =>
  code
    .replaceAll('_', ' ')
    .replaceAll(/\b(api|json|id|url)\b/g, (word) => word.toUpperCase())
    .replace(/^./, (letter) => letter.toUpperCase());

const errorIntroduction = `Every error has the same shape: \`code\` for programs, \`message\` for people, \`issues\` with every problem of the input, \`requestId\` and
\`docUrl\`. An unknown path is answered \`404\`. A method that the path does not support is answered \`405\` with \`Allow\`.`;

const sortedCodes = (errors: ErrorCatalogue) =>
  Object.entries(errors).toSorted(([a], [b]) => (a < b ? -1 : 1));
