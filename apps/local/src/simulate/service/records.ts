// Reads the records of the service, over its API only.
import type { Client, Execution, InteractionStats, OptionCount, SessionAnalytics } from '@service/client';
import type { AttendeeRecord, Records } from '../verdict/expectations.ts';
import type { Registrant } from './register-all.ts';
import type { Setup } from './setup.ts';

interface ReadOptions {
  /** Attendees whose records are read in full. */
  checked: readonly Pick<Registrant, 'registrationId'>[];
  isEverybody: boolean;
  /** Called with the number of attendees that have been read. */
  onRead(count: number): void;
}

/** Concurrent calls. The rate limit is the bound. */
const lanes = 8;

export async function readRecords(client: Client, setup: Setup, options: ReadOptions): Promise<Records> {
  const statuses = new Map<string, string>();
  const path = { webinarId: setup.webinarId };
  for await (const { id, status } of client.listRegistrations.all({ path })) statuses.set(id, status);
  const fired = await readFired(client, setup, options);
  const attendees = new Map<string, AttendeeRecord>();
  await inLanes(options.checked, async ({ registrationId }) => {
    const record = await readEvents(client, setup, registrationId);
    attendees.set(registrationId, {
      ...record,
      fired: fired.get(registrationId) ?? new Map<string, number>(),
    });
    options.onRead(attendees.size);
  });
  return { statuses, attendees };
}

async function readEvents(
  client: Client,
  { webinarId }: Setup,
  registrationId: string,
): Promise<Pick<AttendeeRecord, 'events' | 'watchedSeconds'>> {
  const events = new Map<string, number>();
  let watchedSeconds: number | undefined;
  // Newest first: the last `left` event contains the watched seconds.
  for await (const { type, data } of client.getRegistrationTimeline.all({
    path: { webinarId, registrationId },
  })) {
    events.set(type, (events.get(type) ?? 0) + 1);
    if (type === 'left') watchedSeconds ??= data['watchedSeconds'] as number | undefined;
  }
  return { events, watchedSeconds };
}

/** Counts of firings by registration and source. A sample is read by registration, otherwise everything is read at once. */
async function readFired(
  client: Client,
  { webinarId, webhooks }: Setup,
  { checked, isEverybody }: ReadOptions,
): Promise<Map<string, Map<string, number>>> {
  const fired = new Map<string, Map<string, number>>();
  const add = ({ ruleId, eventType, registrationId }: Execution): void => {
    const source = webhooks?.sources.get(ruleId) ?? eventType;
    const counts = fired.get(registrationId) ?? new Map<string, number>();
    fired.set(registrationId, counts.set(source, (counts.get(source) ?? 0) + 1));
  };
  await inLanes(isEverybody ? [{}] : checked, async ({ registrationId }: { registrationId?: string }) => {
    const query = { outcome: 'matched' as const, registrationId };
    for await (const execution of client.listExecutions.all({ path: { webinarId }, query })) add(execution);
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

/** The statistics of an interaction that are compared. */
export interface ComparedStats extends Omit<InteractionStats, 'options'> {
  options: readonly Pick<OptionCount, 'id' | 'count'>[];
}

export async function readStats(
  client: Client,
  { webinarId, interactions }: Setup,
): Promise<Record<keyof Setup['interactions'], ComparedStats>> {
  const read = async (interactionId: string): Promise<ComparedStats> =>
    (await client.getInteractionStats({ path: { webinarId, interactionId } })).data;
  return {
    offer: await read(interactions.offer),
    cta: await read(interactions.cta),
    handout: await read(interactions.handout),
    poll: await read(interactions.poll),
  };
}

/** The results of the session that are compared. */
export type ComparedResults = Pick<
  SessionAnalytics,
  'registered' | 'joined' | 'attended' | 'noShow' | 'completed' | 'clicked'
>;

export const readResults = async (
  client: Client,
  { webinarId, sessionId }: Setup,
): Promise<ComparedResults> => (await client.getSessionAnalytics({ path: { webinarId, sessionId } })).data;
