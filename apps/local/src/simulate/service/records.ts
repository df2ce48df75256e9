// What the service says happened, from its API only.
import type { Api } from './api.ts';
import type { AttendeeRecord, Records } from '../verdict/attendees.ts';
import type { Registrant } from './register.ts';
import type { Stage } from './stage.ts';

interface Event {
  type: string;
  data: { watchedSeconds?: number };
}

interface Execution {
  ruleId: string;
  eventType: string;
  registrationId: string;
}

interface ReadOptions {
  /** Those that are read in full. */
  checked: readonly Pick<Registrant, 'registrationId'>[];
  isEverybody: boolean;
  /** Told how many have been read. */
  onRead(count: number): void;
}

/** Calls at once; the rate limit is what makes it slow. */
const lanes = 8;

export async function readRecords(api: Api, stage: Stage, options: ReadOptions): Promise<Records> {
  const statuses = new Map<string, string>();
  for await (const { id, status } of api.list<{ id: string; status: string }>(
    `/webinars/${stage.webinarId}/registrations`,
  ))
    statuses.set(id, status);
  const fired = await readFired(api, stage, options);
  const attendees = new Map<string, AttendeeRecord>();
  await inLanes(options.checked, async ({ registrationId }) => {
    const record = await readEvents(api, stage, registrationId);
    attendees.set(registrationId, {
      ...record,
      fired: fired.get(registrationId) ?? new Map<string, number>(),
    });
    options.onRead(attendees.size);
  });
  return { statuses, attendees };
}

async function readEvents(
  api: Api,
  { webinarId }: Stage,
  registrationId: string,
): Promise<Pick<AttendeeRecord, 'events' | 'watchedSeconds'>> {
  const events = new Map<string, number>();
  let watchedSeconds: number | undefined;
  // Newest first: the last time they left says how much they had watched.
  for await (const { type, data } of api.list<Event>(
    `/webinars/${webinarId}/registrations/${registrationId}/events`,
  )) {
    events.set(type, (events.get(type) ?? 0) + 1);
    if (type === 'left') watchedSeconds ??= data.watchedSeconds;
  }
  return { events, watchedSeconds };
}

/** How often each source fired, by registration. For a sample it is asked for each of them, else for all at once. */
async function readFired(
  api: Api,
  { webinarId, followed }: Stage,
  { checked, isEverybody }: ReadOptions,
): Promise<Map<string, Map<string, number>>> {
  const fired = new Map<string, Map<string, number>>();
  const add = ({ ruleId, eventType, registrationId }: Execution): void => {
    const source = followed?.sources.get(ruleId) ?? eventType;
    const counts = fired.get(registrationId) ?? new Map<string, number>();
    fired.set(registrationId, counts.set(source, (counts.get(source) ?? 0) + 1));
  };
  const path = `/webinars/${webinarId}/executions?outcome=matched`;
  const paths = isEverybody
    ? [path]
    : checked.map(({ registrationId }) => `${path}&registrationId=${registrationId}`);
  await inLanes(paths, async (one) => {
    for await (const execution of api.list<Execution>(one)) add(execution);
  });
  return fired;
}

async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** The figures that the service shows of an interaction. */
export interface InteractionStats {
  clicks: number;
  uniqueClickers: number;
  responses: number;
  options: { id: string; count: number }[];
}

export async function readStats(
  api: Api,
  { webinarId, interactions }: Stage,
): Promise<Record<'offer' | 'cta' | 'poll', InteractionStats>> {
  const read = (id: string) => api.get<InteractionStats>(`/webinars/${webinarId}/interactions/${id}/stats`);
  return {
    offer: await read(interactions.offer),
    cta: await read(interactions.cta),
    poll: await read(interactions.poll),
  };
}
