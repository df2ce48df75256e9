import { setTimeout } from 'node:timers/promises';
import type { SignedUp } from '../support/sign-up.ts';
import type { FilledWorkspace } from './dashboard-rows.ts';
import { measureRounds } from './bench.ts';
import { median } from './median.ts';
import { mediansOf } from './report.ts';

export interface PageFigures {
  name: string;
  /** Median milliseconds of the calls of the page, which are one batch. */
  smallMs: number;
  largeMs: number;
  ratio: number;
}

type Call = [procedure: string, input: object];

const limit = 50;
const callsPerRound = 20;

/** The calls that each page makes when it opens. */
const pages: Record<string, (workspace: FilledWorkspace) => Call[]> = {
  Home: () => [
    ['sessions.nearby', {}],
    ['webinars.list', { limit: 1 }],
    ['webinars.list', { limit: 1, status: 'published' }],
    ['people.list', { limit: 1 }],
    ['deliveries.list', { limit: 1, status: 'success' }],
    ['accounts.members.list', {}],
    ['accounts.invitations.list', {}],
    ['endpoints.list', { limit: 100 }],
    ['deliveries.trend', {}],
    ['connections.list', {}],
    ['keys.list', {}],
    ['revenueSources.refusedEvents.list', { limit: 100 }],
    ['people.trend', {}],
    ['revenue.trend', {}],
  ],
  People: () => [['people.list', { limit }]],
  Webinars: () => [
    ['webinars.list', { limit }],
    ['accounts.workspace.get', {}],
  ],
  'Archived webinars': () => [
    ['webinars.listArchived', { limit }],
    ['accounts.workspace.get', {}],
  ],
  'Archived webinar': ({ archivedId: webinarId }) => [
    ['webinars.get', { webinarId }],
    ['registrations.count', { webinarId }],
    ['registrations.count', { webinarId, status: 'attended' }],
    ['interactions.list', { webinarId, limit: 100 }],
    ['responses.counts', { webinarId }],
    ['revenue.summary', { webinarId, by: 'level' }],
  ],
  Search: () => [
    ['webinars.find', { q: 'Webinar 7', limit: 6 }],
    // Three letters find about fifty of 100,000 people.
    ['registrations.find', { q: 'ab1' }],
  ],
  Sessions: ({ webinarId }) => [
    ['webinars.get', { webinarId }],
    ['sessions.listByStart', { webinarId, when: 'upcoming', limit }],
  ],
  Registrations: ({ webinarId, registrationIds }) => [
    ['registrations.list', { webinarId, limit }],
    ['registrations.count', { webinarId }],
    ['automations.registrationDeliveries', { webinarId, registrationIds }],
  ],
  // Counts of more than 5,000 registrations are kept for a minute, so only the first call counts.
  Results: ({ webinarId }) => [['analytics.webinar', { webinarId }]],
  'Compare sessions': ({ webinarId, sessionId }) => [
    ['analytics.webinar', { webinarId }],
    ['analytics.session', { webinarId, sessionId }],
  ],
  Person: ({ registrationIds }) =>
    registrationIds.slice(0, 1).flatMap((registrationId): Call[] => [
      ['people.get', { registrationId }],
      ['people.events', { registrationId, limit }],
    ]),
  Automations: ({ webinarId }) => [
    ['automations.rules.list', { webinarId, limit: 100 }],
    ['automations.executions', { webinarId, limit }],
  ],
  Rule: ({ webinarId, ruleId }) => [
    ['automations.rules.get', { webinarId, ruleId }],
    ['automations.rules.listDeliveries', { webinarId, ruleId, limit }],
    ['automations.rules.listRecoveries', { webinarId, ruleId, limit }],
    ['automations.rules.getWaiting', { webinarId, ruleId }],
  ],
  Webhooks: () => [
    ['endpoints.list', { limit }],
    ['deliveries.list', { limit }],
    ['deliveries.histogram', { range: 'last_24_hours' }],
  ],
  'API keys': () => [['keys.list', {}]],
  'AI tools': () => [
    ['mcp.tools', {}],
    ['activity.list', { surface: 'mcp', range: 'last_7_days', limit: 10 }],
  ],
  Activity: () => [
    ['activity.list', { limit }],
    ['activity.histogram', { utcOffsetMinutes: 0 }],
  ],
  Members: () => [['accounts.members.list', {}]],
  'Audit log': () => [
    ['accounts.members.list', {}],
    ['accounts.changes.list', { limit }],
  ],
  Account: () => [
    ['accounts.notifications.get', {}],
    ['accounts.ownSessions.list', {}],
  ],
};

interface Workspaces {
  small: FilledWorkspace;
  large: FilledWorkspace;
}

/** The same page, now in one workspace and now in the other. */
export async function measurePages(
  origin: string,
  { small, large }: Workspaces,
  rounds: number,
): Promise<PageFigures[]> {
  const figures: PageFigures[] = [];
  for (const [name, callsOf] of Object.entries(pages)) {
    const measured = await measureRounds(rounds, async () => {
      const [smallTimes, largeTimes]: [number[], number[]] = [[], []];
      // In turns, because the later of two series would have a warmer process and another load of the machine.
      for (let call = 0; call < callsPerRound; call += 1) {
        smallTimes.push(await timeOf(origin, small.member, callsOf(small)));
        largeTimes.push(await timeOf(origin, large.member, callsOf(large)));
      }
      const [smallMs, largeMs] = [median(smallTimes), median(largeTimes)];
      return { smallMs, largeMs, ratio: smallMs / largeMs };
    });
    figures.push({ name, ...mediansOf(measured) });
  }
  return figures;
}

async function timeOf(origin: string, { cookie, accountId }: SignedUp, calls: Call[]): Promise<number> {
  const paths = calls.map(([procedure]) => procedure).join(',');
  const inputs = Object.fromEntries(calls.map(([, input], index) => [index, input]));
  const url = `${origin}/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
  const startedAt = performance.now();
  const answer = await fetch(url, { headers: { cookie, 'x-workspace': accountId } });
  const text = await answer.text();
  const ms = performance.now() - startedAt;
  if (answer.status !== 200) throw new Error(`${paths}: ${text.slice(0, 500)}`);
  // Beside another account, one that calls without a rest waits for its share of the thread.
  await setTimeout(5 * ms);
  return ms;
}
