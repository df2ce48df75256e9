import { openBenchDatabase } from './bench-database.ts';
import { createBenchWorld } from './bench-world.ts';
import { measureLoad, type LoadFigures, type LoadRequest } from './load.ts';
import { median } from './median.ts';
import { count, ms, type BenchReport } from './report.ts';
import { startServer } from './server.ts';

export const mcpHelp = `mcp       calls of the tool get_webinar per second, in both kinds of protocol versions, everything on. Beside the same
          procedure over REST, and beside the SDK's own server with this tool, which checks the key and reads the record by
          hand with pg. Shown too: the SDK's server with a constant`;

interface McpOptions {
  rounds: number;
  requests: number;
  concurrency: number;
}

const kinds = ['rest', 'handshake', 'modern', 'sdk', 'constant'] as const;
type Kind = (typeof kinds)[number];

export async function benchMcp({ rounds, requests, concurrency }: McpOptions): Promise<BenchReport> {
  await using opened = new AsyncDisposableStack();
  const { database, url } = opened.use(await openBenchDatabase());
  const { key, webinars } = await createBenchWorld(database, 1);
  const service = opened.use(await startServer('service', url)).origin;
  const sdk = opened.use(await startServer('mcp-ceiling', url)).origin;
  const constant = opened.use(await startServer('mcp-constant', url)).origin;
  const originByKind: Record<Kind, string> = {
    rest: service,
    handshake: service,
    modern: service,
    sdk,
    constant,
  };
  const requestByKind = requestsFor(key, webinars[0]!.id);

  for (const kind of kinds.filter((one) => one !== 'constant'))
    await requireRecord(originByKind[kind], requestByKind[kind], webinars[0]!.id);

  const figures = new Map<Kind, LoadFigures[]>(kinds.map((kind) => [kind, []]));
  // The first round warms everything up and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const kind of kinds) {
      const origin = originByKind[kind];
      const request = () => requestByKind[kind];
      const measured = await measureLoad({ origin, requests, concurrency, request, status: 200 });
      if (round > 0) figures.get(kind)!.push(measured);
    }
  }
  const of = (kind: Kind, name: keyof LoadFigures): number =>
    median(figures.get(kind)!.map((round) => round[name]));
  // Round by round, since the machine is not the same from one to the next.
  const ratio = (kind: Kind, other: Kind): number =>
    median(
      figures.get(kind)!.map(({ perSecond }, round) => perSecond / figures.get(other)![round]!.perSecond),
    );
  const result = {
    besideRest: ratio('handshake', 'rest'),
    modernBesideRest: ratio('modern', 'rest'),
    besideSdk: ratio('handshake', 'sdk'),
    ...Object.fromEntries(kinds.map((kind) => [kind, of(kind, 'perSecond')])),
  };
  const line = (name: string, kind: Kind): string =>
    `  ${name.padEnd(28)} ${count(of(kind, 'perSecond'))}/s, p50 ${ms(of(kind, 'p50'))}, p99 ${ms(of(kind, 'p99'))}`;
  return {
    figures: { result },
    text: [
      'mcp: calls of get_webinar',
      line('MCP with a handshake', 'handshake'),
      line('MCP 2026-07-28', 'modern'),
      line('REST', 'rest'),
      line("the SDK's server, by hand", 'sdk'),
      line("the SDK's server, a constant", 'constant'),
    ].join('\n'),
    targets: [
      { name: 'beside REST', figure: result.besideRest, is: 'at least', target: 0.7, accepted: 0.6 },
      {
        name: '2026-07-28 beside REST',
        figure: result.modernBesideRest,
        is: 'at least',
        target: 0.7,
        accepted: 0.6,
      },
      { name: "beside the SDK's server", figure: result.besideSdk, is: 'at least', target: 1, accepted: 0.8 },
    ],
  };
}

/** Over MCP a refusal has status 200 too. */
async function requireRecord(origin: string, { path, ...init }: LoadRequest, id: string): Promise<void> {
  const text = await (await fetch(origin + path, init)).text();
  if (!text.includes(`"${id}"`) || text.includes('isError')) throw new Error(`${path} answered ${text}`);
}

function requestsFor(key: string, webinarId: string): Record<Kind, LoadRequest> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const params = { name: 'get_webinar', arguments: { webinarId } };
  const call = (fields: object): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, ...fields } });
  const handshake: LoadRequest = {
    method: 'POST',
    path: '/mcp',
    headers: { ...headers, 'mcp-protocol-version': '2025-11-25' },
    body: call({}),
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern: LoadRequest = {
    ...handshake,
    headers: {
      ...headers,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'get_webinar',
    },
    body: call({ _meta }),
  };
  const { authorization } = headers;
  const rest: LoadRequest = {
    method: 'GET',
    path: `/api/v1/webinars/${webinarId}`,
    headers: { authorization },
  };
  return { rest, handshake, modern, sdk: handshake, constant: handshake };
}
