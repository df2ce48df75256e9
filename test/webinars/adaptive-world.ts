import { callRest, createTestAccount, createTestKey, type TestApi } from '../support/api.ts';

type Answer = Awaited<ReturnType<typeof callRest>>;

/** A bookable adaptive draft, with calls for its segments and branches. */
export interface AdaptiveWorld {
  accountId: string;
  key: string;
  webinarId: string;
  /** A call below the webinar: `POST /segments`. */
  call(route: string, body?: unknown): Promise<Answer>;
  /** Makes a POST and returns the record. */
  create(path: string, body: unknown): Promise<Record<string, string>>;
}

export async function createAdaptive(service: TestApi, fields: object = {}): Promise<AdaptiveWorld> {
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  return adaptiveIn(service, { accountId, key }, fields);
}

/** Another webinar in the same workspace. */
export async function adaptiveIn(
  service: TestApi,
  { accountId, key }: Pick<AdaptiveWorld, 'accountId' | 'key'>,
  fields: object = {},
): Promise<AdaptiveWorld> {
  const body = { title: 'Adaptive', kind: 'adaptive', schedule: { onDemand: true }, ...fields };
  const webinarId = (await callRest(service, 'POST /webinars', { key, body })).json.data.id;
  const call = (route: string, body?: unknown): Promise<Answer> => {
    const [method, path] = route.split(' ') as [string, string];
    return callRest(service, `${method} /webinars/${webinarId}${path}`, { key, body });
  };
  const create = async (path: string, body: unknown) => {
    const answer = await call(`POST ${path}`, body);
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.json.data;
  };
  return { accountId, key, webinarId, call, create };
}

/** Makes intro (300 s), from there by default short (60 s) or by choice long (600 s), then the end (30 s). Returns the ids. */
export async function createFork({ create }: AdaptiveWorld): Promise<Record<string, string>> {
  const segment = async (title: string, durationSeconds: number, fields: object = {}) =>
    (await create('/segments', { title, durationSeconds, ...fields }))['id']!;
  const ids: Record<string, string> = {
    intro: await segment('Intro', 300, { isEntry: true }),
    short: await segment('Short', 60),
    long: await segment('Long', 600),
    end: await segment('End', 30, { isTerminal: true }),
  };
  const branch = async (way: string, fields: object = { via: 'default' }) => {
    const [from, to] = way.split('>') as [string, string];
    const ends = { fromSegmentId: ids[from], toSegmentId: ids[to] };
    ids[way] = (await create('/branches', { ...ends, label: way, ...fields }))['id']!;
  };
  await branch('intro>short');
  await branch('intro>long', { via: 'choice', promptText: 'More?', promptAtSeconds: 200 });
  await branch('short>end');
  await branch('long>end');
  return ids;
}

/** Status and code of an answer. */
export const codeOf = ({ status, json }: Answer): unknown[] => [status, json?.code];

/** The paths of an answer's issues, sorted and without duplicates. */
export const pathsOf = ({ json }: Answer): string[] => [
  ...new Set<string>(json.issues.map((issue: { path: string }) => issue.path).toSorted()),
];
