import { measureRounds, type Bench } from './bench.ts';
import { createBenchWorld } from './bench-world.ts';
import { measureLoad, type LoadFigures, type LoadRequest } from './load.ts';
import { atLeast, columns, count, mediansOf, ms } from './report.ts';
import { startServer } from './server.ts';

const names = {
  handshake: 'MCP with a handshake',
  modern: 'MCP 2026-07-28',
  rest: 'REST',
  sdk: "the SDK's server, by hand",
  constant: "the SDK's server, a constant",
};
type Kind = keyof typeof names;
const kinds = Object.keys(names) as Kind[];

export const mcp: Bench = {
  name: 'mcp',
  summary:
    'calls of the tool get_webinar per second, in both kinds of protocol versions, everything on. Beside the same procedure over REST, ' +
    "and beside the SDK's own server with this tool, which checks the key and reads the record by hand with pg. Shown too: the SDK's " +
    'server with a constant',
  async run({ database, url, rounds, requests, use }) {
    const { key, webinars } = await createBenchWorld(database, 1);
    const webinarId = webinars[0]!.id;
    const { origin: service } = use(await startServer('service', url));
    const { origin: sdk } = use(await startServer('mcp-ceiling', url));
    const { origin: constant } = use(await startServer('mcp-constant', url));
    const originByKind: Record<Kind, string> = {
      rest: service,
      handshake: service,
      modern: service,
      sdk,
      constant,
    };
    const requestByKind = requestsFor(key, webinarId);
    for (const kind of kinds.filter((one) => one !== 'constant'))
      await requireRecord(originByKind[kind], requestByKind[kind], webinarId);

    const measured = await measureRounds(rounds, async () => {
      const figures = {} as Record<Kind, LoadFigures>;
      for (const kind of kinds) {
        const request = () => requestByKind[kind];
        const load = { origin: originByKind[kind], requests, concurrency: 16, request, status: 200 };
        figures[kind] = await measureLoad(load);
      }
      return figures;
    });
    // Round by round, since the machine is not the same from one to the next.
    const ratios = mediansOf(
      measured.map(({ handshake, modern, rest, sdk }) => ({
        besideRest: handshake.perSecond / rest.perSecond,
        modernBesideRest: modern.perSecond / rest.perSecond,
        besideSdk: handshake.perSecond / sdk.perSecond,
      })),
    );
    const medians = kinds.map((kind) => ({ kind, ...mediansOf(measured.map((round) => round[kind])) }));
    return {
      figures: {
        result: { ...ratios, ...Object.fromEntries(medians.map(({ kind, perSecond }) => [kind, perSecond])) },
      },
      text: [
        'mcp: calls of get_webinar',
        columns([
          ['', 'per second', 'p50', 'p99'],
          ...medians.map(({ kind, perSecond, p50, p99 }) => [
            names[kind],
            count(perSecond),
            ms(p50),
            ms(p99),
          ]),
        ]),
      ].join('\n'),
      targets: [
        atLeast('beside REST', ratios.besideRest, 0.7, 0.6),
        atLeast('2026-07-28 beside REST', ratios.modernBesideRest, 0.7, 0.6),
        atLeast("beside the SDK's server", ratios.besideSdk, 1, 0.8),
      ],
    };
  },
};

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
