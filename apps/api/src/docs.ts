import {
  defaultQuota,
  eventCatalogue,
  protectedResource,
  restErrorCatalogue,
  revenueProviders,
  type ServiceOptions,
} from '@service/composition';
import { createBuiltFiles, createMemoryFile, sendMemoryFile, type MemoryFile } from '@service/pages';
import { createOpenApiDocument, weakEtag, type OpenApiDocument } from '@service/rest';
import type { AnyServiceRouter } from '@service/trpc';
import { Router } from 'express';
import { fileURLToPath } from 'node:url';
import { describeWebhooks, hoursOf, introduce, samples, tags } from './api-description.ts';
import { createGuides } from './guides.ts';
import { keyPaths } from './mcp.ts';
import { describeRoom, describeRoomCalls } from './room-description.ts';
import { describeRevenueWebhooks } from './revenue-description.ts';

// The build copies it there. Nothing is fetched from another host.
const builtFolder = fileURLToPath(new URL('../dist', import.meta.url));

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API reference</title>
  </head>
  <body>
    <noscript>This page needs JavaScript. The same in JSON: <a href="/api/v1/openapi.json">openapi.json</a></noscript>
    <div id="reference"></div>
    <script src="/api/v1/docs/scalar.js"></script>
    <script src="/api/v1/docs/start.js"></script>
  </body>
</html>
`;

// Scalar's own fonts come from another host. A heading that a link led to needs no frame around half the page.
const style = `:root {
  --scalar-font: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  --scalar-font-code: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
.section:focus, .section:focus-visible { outline: none; }`;

// Everything that would call another host is off: fonts, the proxy, telemetry, the assistant. An earlier version stored keys in
// the browser; they are removed.
const startScript = `for (const name of Object.keys(localStorage)) {
  if (name.startsWith('scalar-reference-auth')) localStorage.removeItem(name);
}
Scalar.createApiReference('#reference', ${JSON.stringify({
  url: '/api/v1/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  // Every page of this origin, also the dashboard, could read a key in the browser's storage.
  persistAuth: false,
  hideClientButton: true,
  // Every operation already shows its schemas.
  hideModels: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'apiKey' },
  customCss: style,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})});
`;

interface DocsOptions extends Pick<
  ServiceOptions,
  'baseUrl' | 'rateLimit' | 'idempotencyWindowHours' | 'retryScheduleSeconds' | 'deliveryQuota'
> {
  router: AnyServiceRouter;
}

/** `/openapi.json`, `/docs` and the guides below it: public, the same for all callers. */
export function createDocs(options: DocsOptions): Router {
  // Created at the first request, so that the start does not wait for it.
  let served: MemoryFile | undefined;
  const document = () => (served ??= serialize(describe(options)));
  let servedRoom: MemoryFile | undefined;
  const roomDocument = () => (servedRoom ??= serialize(describeRoomCalls(options.baseUrl)));
  const built = createBuiltFiles(builtFolder, 'scalar.js');

  const docs = Router({ caseSensitive: true });
  docs.get('/openapi.json', (request, response) => {
    response.set({ 'Cache-Control': 'public, max-age=60', 'Access-Control-Allow-Origin': '*' });
    return sendMemoryFile(request, response, document());
  });
  docs.get('/room/openapi.json', (request, response) => {
    response.set({ 'Cache-Control': 'public, max-age=60', 'Access-Control-Allow-Origin': '*' });
    return sendMemoryFile(request, response, roomDocument());
  });
  docs.get('/docs', (_request, response) => {
    response.type('html').send(page);
  });
  docs.get('/docs/start.js', (_request, response) => {
    response.type('text/javascript').send(startScript);
  });
  docs.get('/docs/scalar.js', async (request, response, next) => {
    const file = await built.find('/scalar.js');
    if (!file) return next();
    // no-transform: a proxy would compress four megabytes again.
    response.set('Cache-Control', 'public, max-age=3600, no-transform');
    return sendMemoryFile(request, response, file);
  });
  docs.use('/docs', createGuides({ errors: restErrorCatalogue, values: valuesOf(options) }));
  return docs;
}

/** The figures of this installation that guides name. */
const valuesOf = ({ baseUrl, rateLimit, idempotencyWindowHours, retryScheduleSeconds }: DocsOptions) => ({
  baseUrl,
  requests: rateLimit.requests,
  windowSeconds: rateLimit.windowSeconds,
  idempotencyHours: idempotencyWindowHours,
  attempts: retryScheduleSeconds.length,
  retryHours: hoursOf(retryScheduleSeconds),
});

function describe(options: DocsOptions): OpenApiDocument {
  const { router, baseUrl, rateLimit, idempotencyWindowHours, retryScheduleSeconds } = options;
  const { deliveryQuota = defaultQuota } = options;
  return createOpenApiDocument({
    router,
    baseUrl,
    title: 'Webinar service API',
    version: '1.0.0',
    introduction: introduce(baseUrl),
    limits: { rateLimit, idempotencyWindowHours },
    errors: restErrorCatalogue,
    tags,
    samples,
    webhooks: {
      tag: 'Events',
      senders: { createAutomation: 'action/url', createWebhook: 'url' },
      description: [
        describeWebhooks({ retryScheduleSeconds, deliveryQuota }),
        describeRevenueWebhooks(baseUrl, revenueProviders),
        describeMcp(baseUrl),
        describeRoom(baseUrl),
      ].join('\n\n'),
      events: eventCatalogue,
    },
  });
}

function serialize(document: object): MemoryFile {
  const json = JSON.stringify(document);
  return createMemoryFile({ bytes: Buffer.from(json), type: 'json', etag: weakEtag(json) });
}

/** The section of the API reference about the addresses of MCP. Their tools describe themselves. */
const describeMcp = (baseUrl: string): string => `# AI tools (MCP)

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
