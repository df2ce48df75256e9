import { protectedResource } from '@service/composition';
import { keyPaths } from './mcp.ts';

/** The section of the API reference about the addresses of MCP. Their tools describe themselves. */
export const describeMcp = (baseUrl: string): string => `# AI tools (MCP)

AI clients call most of these operations as tools, over Streamable HTTP. The dashboard shows how to set up each client,
under AI tools.

| Address | Tools | Credential |
|---|---|---|
| \`${baseUrl}${keyPaths.all}\` | All | An API key with the surface AI Tools (MCP) |
| \`${baseUrl}${keyPaths.readonly}\` | Those that read | The same |
| \`${baseUrl}${protectedResource.path}\` | All | An access token, for clients that connect with OAuth 2.1: a member approves the client and its scopes |

A list of tools contains those that the credential may call. Calls count in the rate limit of the account. At \`/mcp\` a call without a valid
key for its tool is answered \`401 invalid_api_key\`. At \`${protectedResource.path}\` a missing, invalid or expired token is answered
\`401 invalid_access_token\`, and a token without a scope of the tool \`403 insufficient_scope\`; \`WWW-Authenticate\` names the metadata of the
resource (RFC 9728) and the scopes. A rule about purchases or refunds needs \`revenue:read\` as well. An access token is valid for an hour and opens no other address.

A write takes an \`idempotency_key\`. A tool that changes a record takes the \`version\` of an earlier result as \`if_match\`. Every other refusal
is a result with \`isError\`, whose text has the \`code\` and the next step.

Texts of other people are below the key \`untrusted\` in every result: names, e-mail addresses, answers, chat, answers of receivers. A client
should treat them as data and never as instructions. A tool that can send data of attendees to a new URL has \`destructiveHint\`.`;
