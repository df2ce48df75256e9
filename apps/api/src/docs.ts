import { fileURLToPath } from 'node:url';
import {
  defaultQuota,
  eventCatalogue,
  restErrorCatalogue,
  revenueProviders,
  type ServiceOptions,
} from '@service/composition';
import { createOpenApiDocument, weakEtag, type OpenApiDocument } from '@service/rest';
import type { AnyServiceRouter } from '@service/trpc';
import { Router } from 'express';
import { describeWebhooks, introduce, samples, tags } from './api-description.ts';
import { createBuiltFiles } from './built-files.ts';
import { describeMcp } from './mcp-description.ts';
import { describeRevenueWebhooks } from './revenue-description.ts';
import { createMemoryFile, sendMemoryFile, type MemoryFile } from './memory-file.ts';

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
  defaultOpenAllTags: true,
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

/** `/openapi.json` and `/docs`: public, the same for all callers. */
export function createDocs(options: DocsOptions): Router {
  // Created at the first request, so that the start does not wait for it.
  let served: MemoryFile | undefined;
  const document = () => (served ??= serialize(describe(options)));
  const built = createBuiltFiles(builtFolder, 'scalar.js');

  const docs = Router({ caseSensitive: true });
  docs.get('/openapi.json', (request, response) => {
    response.set({ 'Cache-Control': 'public, max-age=60', 'Access-Control-Allow-Origin': '*' });
    return sendMemoryFile(request, response, document());
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
  return docs;
}

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
      ].join('\n\n'),
      events: eventCatalogue,
    },
  });
}

function serialize(document: OpenApiDocument): MemoryFile {
  const json = JSON.stringify(document);
  return createMemoryFile({ bytes: Buffer.from(json), type: 'json', etag: weakEtag(json) });
}
