// Reads the records of the service, over its API only.
import type { Api } from './api.ts';
import type { AttendeeRecord, Records } from '../verdict/expectations.ts';
import type { Registrant } from './register-all.ts';
import type { Setup } from './setup.ts';

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
  /** Attendees whose records are read in full. */
  checked: readonly Pick<Registrant, 'registrationId'>[];
  isEverybody: boolean;
  /** Called with the number of attendees that have been read. */
  onRead(count: number): void;
}

/** Concurrent calls. The rate limit is the bound. */
const lanes = 8;

export async function readRecords(api: Api, setup: Setup, options: ReadOptions): Promise<Records> {
  const statuses = new Map<string, string>();
  for await (const { id, status } of api.list<{ id: string; status: string }>(
    `/webinars/${setup.webinarId}/registrations`,
  ))
    statuses.set(id, status);
  const fired = await readFired(api, setup, options);
  const attendees = new Map<string, AttendeeRecord>();
  await inLanes(options.checked, async ({ registrationId }) => {
    const record = await readEvents(api, setup, registrationId);
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
  { webinarId }: Setup,
  registrationId: string,
): Promise<Pick<AttendeeRecord, 'events' | 'watchedSeconds'>> {
  const events = new Map<string, number>();
  let watchedSeconds: number | undefined;
  // Newest first: the last `left` event contains the watched seconds.
  for await (const { type, data } of api.list<Event>(
    `/webinars/${webinarId}/registrations/${registrationId}/events`,
  )) {
    events.set(type, (events.get(type) ?? 0) + 1);
    if (type === 'left') watchedSeconds ??= data.watchedSeconds;
  }
  return { events, watchedSeconds };
}

/** Counts of firings by registration and source. A sample is read by registration, otherwise everything is read at once. */
async function readFired(
  api: Api,
  { webinarId, webhooks }: Setup,
  { checked, isEverybody }: ReadOptions,
): Promise<Map<string, Map<string, number>>> {
  const fired = new Map<string, Map<string, number>>();
  const add = ({ ruleId, eventType, registrationId }: Execution): void => {
    const source = webhooks?.sources.get(ruleId) ?? eventType;
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

/** The statistics of an interaction. */
export interface InteractionStats {
  views: number;
  clicks: number;
  uniqueClickers: number;
  responses: number;
  options: { id: string; count: number }[];
}

export async function readStats(
  api: Api,
  { webinarId, interactions }: Setup,
): Promise<Record<keyof Setup['interactions'], InteractionStats>> {
  const read = (id: string) => api.get<InteractionStats>(`/webinars/${webinarId}/interactions/${id}/stats`);
  return {
    offer: await read(interactions.offer),
    cta: await read(interactions.cta),
    handout: await read(interactions.handout),
    poll: await read(interactions.poll),
  };
}
