// Workspaces with one of everything for the fuzzer, and the ids and values that it knows.
import type { OpenApiDocument } from '@service/rest';
import {
  createTestAccount,
  createTestKey,
  createTestWebinar,
  inMinutes,
  type TestApi,
} from '../support/api.ts';
import type { FuzzRequest } from './rest-requests.ts';

export interface FuzzWorld {
  /** The authorization of a caller, undefined for none. */
  authorizationOf(caller: number): string | undefined;
  /** The path of a request below /api/v1, naming things that exist together, mostly. */
  pathOf(request: FuzzRequest): string;
  /** A text with every placeholder replaced by something of the caller's workspace. */
  fill(text: string, request: FuzzRequest): string;
  /** Remembers the ids, the cursor and the tag of an answer, and forgets what it says is gone. */
  learn(request: FuzzRequest, path: string, headers: Headers, body: unknown): void;
}

interface Workspace {
  authorization: string;
  /** Existing values by the name of the field that refers to them. */
  values: Map<string, Pool<string>>;
  /** Ids that belong together, by the template whose parameters they are, `/webinars/{}/offers/{}`. */
  ids: Map<string, Pool<Record<string, string>>>;
}

interface Pool<Entry> {
  add(entry: Entry): void;
  forget(isGone: (entry: Entry) => boolean): void;
  /** Undefined when there is none. `spare` leaves out those that are kept. */
  pick(index: number, options?: { spare?: boolean }): Entry | undefined;
}

/** Entries kept of each kind: more only repeat. New ones take the place of old ones, which may be gone. */
const poolMax = 60;

/** The first webinars are not given to what ends one, or soon there would be nothing left below them. */
const keptWebinars = 4;
const endsWebinar =
  /^(DELETE \/+webinars\/\{webinarId\}|POST \/+webinars\/\{webinarId\}\/(archive|unpublish))$/;

/** Fields whose values are real ones: those the paths name, and what a query or a body refers to. */
export function knownFields(document: OpenApiDocument): string[] {
  const inPaths = Object.keys(document.paths).flatMap(parametersOf);
  return [
    ...new Set([...inPaths, ...Object.keys(otherNames), 'sessionTime', 'cursor', 'receiverUrl', 'etag']),
  ];
}

/** Fields of bodies that name what a path calls something else. */
const otherNames: Record<string, string> = { fromSegmentId: 'segmentId', toSegmentId: 'segmentId' };

/** Two workspaces with one of everything that the API can create. */
export async function createFuzzWorld(
  service: TestApi,
  document: OpenApiDocument,
  receiverUrl: string,
): Promise<FuzzWorld> {
  const templates = Object.keys(document.paths);

  const learnIn = ({ values, ids }: Workspace, path: string, headers: Headers, body: unknown): void => {
    const { data, pagination } = (body ?? {}) as { data?: unknown; pagination?: { nextCursor?: string } };
    addTo(values, 'etag', headers.get('etag'));
    addTo(values, 'cursor', pagination?.nextCursor);
    const place = headers.get('location')?.replace('/api/v1', '') ?? `${path.split('?')[0]}/new`;
    const template = templates.find((one) => isPlace(one, place));
    if (!template) return;
    const names = parametersOf(template);
    const parents = template
      .split('/')
      .flatMap((segment, index) => (segment.startsWith('{') ? [place.split('/')[index]!] : []));
    for (const record of [data].flat() as ({ id?: unknown } | undefined)[]) {
      if (typeof record?.id !== 'string') continue;
      const together = [...parents.slice(0, -1), record.id];
      addTo(values, names.at(-1)!, record.id);
      addTo(ids, shapeOf(template), Object.fromEntries(names.map((name, index) => [name, together[index]!])));
    }
  };

  const pathIn = ({ ids, values }: Workspace, { method, path, pick }: FuzzRequest): string => {
    const spare = endsWebinar.test(`${method} ${path}`);
    const together = ids.get(shapeOf(path))?.pick(pick, { spare });
    // One in twenty requests names a child below a parent that is not its own.
    const isMixed = pick % 20 === 19 && !spare;
    return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
      String(isMixed ? values.get(name)?.pick(pick) : together?.[name]),
    );
  };

  const fillIn = ({ values }: Workspace, text: string, pick: number): string =>
    text.replaceAll(
      /\{(\w+)\}/g,
      (whole, name: string) => values.get(otherNames[name] ?? name)?.pick(pick) ?? whole,
    );

  /** Creates one of each thing from its example, parents first as the document has them, then lists what there is. */
  const createAll = async (workspace: Workspace, round: number): Promise<void> => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const method of ['POST', 'GET']) {
        const operation = item[method.toLowerCase()];
        if (!operation || endsWebinar.test(`${method} ${path}`)) continue;
        const example = JSON.stringify(operation.requestBody?.content['application/json']?.example);
        const body = example
          ?.replaceAll(/"sessionTime":"[^"]*"/g, '"sessionTime":"{sessionTime}"')
          .replaceAll(/"https:[^"]*hook[^"]*"/g, '"{receiverUrl}"')
          .replaceAll('ada@', `ada${round}@`);
        const target = pathIn(workspace, { method, path, pick: 0 } as FuzzRequest);
        await ask(workspace, `${method} ${target}`, body && fillIn(workspace, body, 0));
      }
    }
  };

  const ask = async (workspace: Workspace, route: string, body: string | undefined) => {
    const [method, target] = route.split(' ') as [string, string];
    const response = await fetch(`${service.baseUrl}/api/v1${target}`, {
      method,
      headers: { Authorization: workspace.authorization, 'Content-Type': 'application/json' },
      body,
    });
    if (!response.ok || response.status === 204) return undefined;
    const answer = (await response.json()) as { data: { id: string } };
    learnIn(workspace, target, response.headers, answer);
    return answer;
  };

  /** A draft with what only an adaptive webinar can have. */
  const createAdaptive = async (workspace: Workspace): Promise<void> => {
    const create = async (path: string, body: object): Promise<string> =>
      (await ask(workspace, `POST ${path}`, JSON.stringify(body)))!.data.id;
    const webinar = { title: 'Adaptive', kind: 'adaptive', schedule: { onDemand: true } };
    const at = `/webinars/${await create('/webinars', webinar)}`;
    const segment = { title: 'Part', durationSeconds: 3600 };
    const ends = {
      fromSegmentId: await create(`${at}/segments`, { ...segment, isEntry: true }),
      toSegmentId: await create(`${at}/segments`, { ...segment, isTerminal: true }),
    };
    await create(`${at}/branches`, { ...ends, label: 'On', via: 'default' });
  };

  const createWorkspace = async (): Promise<Workspace> => {
    const { accountId } = await createTestAccount(service);
    const { key } = await createTestKey(service, accountId);
    const workspace: Workspace = { authorization: `Bearer ${key}`, values: new Map(), ids: new Map() };
    addTo(workspace.values, 'receiverUrl', receiverUrl);
    for (let kept = 0; kept < keptWebinars - 1; kept += 1) {
      const { id, sessionTime } = await createTestWebinar(service, accountId);
      addTo(workspace.values, 'sessionTime', sessionTime);
      learnIn(workspace, '/webinars', new Headers(), { data: { id } });
    }
    await createAdaptive(workspace);
    addTo(workspace.values, 'sessionTime', inMinutes(5));
    // Twice: rules and subscriptions exist at the second registration.
    await createAll(workspace, 1);
    await createAll(workspace, 2);
    return workspace;
  };

  const workspaces = [await createWorkspace(), await createWorkspace()];
  const { accountId } = await createTestAccount(service);
  const { key: readOnly } = await createTestKey(service, accountId, { scopes: ['webinars:read'] });
  const workspaceOf = ({ caller }: { caller: number }): Workspace => workspaces[caller % 2]!;
  return {
    authorizationOf: (caller) =>
      caller < 18 ? workspaceOf({ caller }).authorization : [`Bearer ${readOnly}`, undefined][caller - 18],
    pathOf: (request) => pathIn(workspaceOf(request), request),
    fill: (text, request) => fillIn(workspaceOf(request), text, request.pick),
    learn(request, path, headers, body) {
      const workspace = workspaceOf(request);
      const gone = request.method === 'DELETE' || request.path.endsWith('/archive');
      if (!gone) return learnIn(workspace, path, headers, body);
      const id = path.match(/[0-9a-f-]{36}/g)?.at(-1);
      for (const pool of workspace.ids.values()) pool.forget((ids) => Object.values(ids).includes(id!));
    },
  };
}

function addTo<Entry>(pools: Map<string, Pool<Entry>>, name: string, entry: Entry | null | undefined): void {
  if (entry === null || entry === undefined) return;
  const pool = pools.get(name) ?? createPool<Entry>(name === '/webinars/{}' ? keptWebinars : 0);
  pools.set(name, pool);
  pool.add(entry);
}

function createPool<Entry>(kept: number): Pool<Entry> {
  const entries: Entry[] = [];
  const known = new Set<string>();
  let added = 0;
  return {
    add(entry) {
      const text = JSON.stringify(entry);
      if (known.has(text)) return;
      known.add(text);
      if (entries.length < poolMax) entries.push(entry);
      else entries[kept + (added++ % (poolMax - kept))] = entry;
    },
    forget(isGone) {
      const left = entries.slice(kept).filter((entry) => !isGone(entry));
      entries.splice(kept, entries.length, ...left);
    },
    pick(index, { spare = false } = {}) {
      const candidates = spare ? entries.slice(kept) : entries;
      return candidates[index % candidates.length];
    },
  };
}

const parametersOf = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

/** Up to its last parameter, whose name does not matter: `/webinars/{}/offers/{}` for all that can be done with an offer. */
const shapeOf = (path: string): string =>
  path.slice(0, path.lastIndexOf('}') + 1).replaceAll(/\{\w+\}/g, '{}');

/** True when a path matches a template that ends in a parameter. */
function isPlace(template: string, path: string): boolean {
  const [wanted, segments] = [template.split('/'), path.split('/')];
  return (
    template.endsWith('}') &&
    wanted.length === segments.length &&
    wanted.every((want, index) => want.startsWith('{') || want === segments[index])
  );
}
