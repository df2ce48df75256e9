import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { restErrorCatalogue } from '@service/composition';
import { createOpenApiDocument } from '@service/rest';
import type { AnyServiceRouter } from '@service/trpc';
import { Router } from 'express';

// Copied there by the build; nothing is fetched from another host.
const scalarFile = fileURLToPath(new URL('../dist/scalar.js', import.meta.url));

const description = `Webinars, registrations and signed webhooks.

Send \`Authorization: Bearer <API key>\` with every request; keys are made in the dashboard under Settings, API keys. A request
without a key that may do the thing is answered \`401\`, whatever the reason. A list answers \`data\` and \`pagination\`; pass
\`nextCursor\` as \`cursor\` for the next page. Times are ISO 8601 in UTC; ids are UUIDs. Fields may be added to answers at any time.`;

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

// Everything that would reach for another host is off: fonts, the proxy, telemetry, the assistant.
const startScript = `Scalar.createApiReference('#reference', ${JSON.stringify({
  url: '/api/v1/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: true,
  hideClientButton: true,
  defaultOpenAllTags: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'apiKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})});
`;

/** `/openapi.json` and `/docs`: public, the same for everybody. */
export function createDocs({ router, baseUrl }: { router: AnyServiceRouter; baseUrl: string }): Router {
  const document = createOpenApiDocument({
    router,
    baseUrl,
    title: 'Webinar service API',
    version: '1.0.0',
    description,
    errors: restErrorCatalogue,
  });
  const json = JSON.stringify(document);
  const etag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`;

  const docs = Router();
  docs.get('/openapi.json', (request, response) => {
    response.set({ ETag: etag, 'Cache-Control': 'public, max-age=60', 'Access-Control-Allow-Origin': '*' });
    if (request.fresh) response.status(304).end();
    else response.type('application/json').send(json);
  });
  docs.get('/docs', (_request, response) => {
    response.type('html').send(page);
  });
  docs.get('/docs/start.js', (_request, response) => {
    response.type('text/javascript').send(startScript);
  });
  docs.get('/docs/scalar.js', (_request, response) => {
    response.sendFile(scalarFile, { maxAge: '1h' });
  });
  return docs;
}
