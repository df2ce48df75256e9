import type { callRest, TestApi } from '../support/api.ts';
import { createWorld, type World } from '../support/world.ts';

type Answer = Awaited<ReturnType<typeof callRest>>;

/** A bookable adaptive draft, with calls for its segments and branches. */
export type AdaptiveWorld = World & { webinarId: string };

/** In a workspace of its own, unless one is given. */
export async function createAdaptive(
  service: TestApi,
  fields: object = {},
  workspace?: World,
): Promise<AdaptiveWorld> {
  const adaptive = { title: 'Adaptive', kind: 'adaptive', durationSeconds: undefined };
  const webinar = { ...adaptive, schedule: { onDemand: true }, ...fields };
  const world = await createWorld({ beside: { service }, workspace, publish: false, webinar });
  return { ...world, webinarId: world.webinar.id };
}

/** Another webinar in the same workspace. */
export const adaptiveIn = (service: TestApi, workspace: World, fields?: object): Promise<AdaptiveWorld> =>
  createAdaptive(service, fields, workspace);

/** Makes intro (300 s), from there by default short (60 s) or by choice long (600 s), then the end (30 s). Returns the ids. */
export async function createFork({
  create,
}: Pick<AdaptiveWorld, 'accountId' | 'key' | 'webinarId' | 'call' | 'create'>): Promise<
  Record<string, string>
> {
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

/** The paths of an answer's issues, sorted and without duplicates. */
export const pathsOf = ({ json }: Answer): string[] => [
  ...new Set<string>(json.issues.map((issue: { path: string }) => issue.path).toSorted()),
];
