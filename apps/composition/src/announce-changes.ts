// Changes outside of calls: events of attendees, sessions of the clock, queued deliveries. They are announced after the commit.
import type { EventSubscriber } from '@service/attendees';
import type { Topic } from '@service/catalogue';
import type { ChangeAnnouncer } from '@service/changes';
import type { Deliveries } from '@service/deliveries';
import { isTracing, traced } from '@service/log';
import type { AnsweredCall } from '@service/surface';
import type { Written } from '@service/trpc';
import type { SessionSubscriber } from '@service/webinars';
import type { ServiceRouter } from './service-router.ts';

type Announcer = Pick<ChangeAnnouncer, 'announce'>;
type Subscriber = EventSubscriber & SessionSubscriber;

/** Calls a subscriber, each time in a span, and announces that registrations, executions and sessions changed. */
export const announceEvents = (subscriber: Subscriber, { announce }: Announcer): Subscriber => ({
  async findInterest(tx, webinarId, expected) {
    const interest = await subscriber.findInterest(tx, webinarId, expected);
    return {
      minutes: interest.minutes,
      percents: interest.percents,
      onEvents(writer, events) {
        const { accountId } = writer;
        writer.afterCommit(() => {
          announce(accountId, 'registrations', webinarId);
          announce(accountId, 'executions', webinarId);
        });
        const [first] = events;
        if (!first || !isTracing()) return interest.onEvents(writer, events);
        const attributes = { 'account.id': accountId, 'webinar.id': webinarId, 'event.count': events.length };
        return traced(`event ${first.type}`, attributes, () => interest.onEvents(writer, events));
      },
    };
  },
  requireRoom: async (tx) => subscriber.requireRoom?.(tx),
  onRegistration: async (tx, change) => subscriber.onRegistration?.(tx, change),
  onLinkRequested: async (tx, registration) => subscriber.onLinkRequested?.(tx, registration),
  onErasure: async (tx, erasure) => subscriber.onErasure?.(tx, erasure),
  async onSessions(tx, changes) {
    const { accountId } = tx;
    tx.afterCommit(() => {
      for (const { session } of changes) announce(accountId, 'sessions', session.webinarId);
    });
    await subscriber.onSessions(tx, changes);
  },
  async onWebinarDeleted(tx, webinarId) {
    const { accountId } = tx;
    tx.afterCommit(() => announce(accountId, 'deliveries'));
    await subscriber.onWebinarDeleted?.(tx, webinarId);
  },
});

/** Announces queued deliveries. A rule that queues one has an execution too. */
export const announceDeliveries = (deliveries: Deliveries, { announce }: Announcer): Deliveries => ({
  ...deliveries,
  async enqueue(tx, drafts) {
    const { accountId } = tx;
    const ids = await deliveries.enqueue(tx, drafts);
    if (ids.length > 0) {
      tx.afterCommit(() => {
        announce(accountId, 'deliveries');
        announce(accountId, 'executions');
      });
    }
    return ids;
  },
});

/** Announces calls that Activity shows, and their counts on keys. */
export function announceCalls({ announce }: Announcer, calls: readonly AnsweredCall[]): void {
  for (const accountId of new Set(calls.map(({ principal }) => principal.accountId))) {
    announce(accountId, 'activity');
    announce(accountId, 'keys');
  }
}

type RouterName = keyof ServiceRouter['_def']['record'];

/** The topics that writes of each router may change. A new router does not compile without an entry. */
const topicsOfWrites: Record<RouterName, readonly Topic[]> = {
  accounts: ['members'],
  keys: ['keys'],
  connectors: ['keys'],
  grants: ['keys'],
  retention: [],
  activity: [],
  analytics: [],
  webinars: ['webinars', 'sessions', 'registrations'],
  segments: ['segments', 'webinars'],
  sessions: ['sessions', 'webinars', 'registrations'],
  interactions: ['interactions', 'webinars'],
  registrations: ['registrations', 'sessions', 'webinars'],
  people: [],
  responses: ['registrations'],
  webhooks: ['webhooks', 'deliveries'],
  automations: ['rules', 'deliveries'],
  deliveries: ['deliveries'],
  endpoints: ['deliveries'],
  revenue: ['revenue'],
  revenueEvents: ['revenue'],
  revenueSources: ['revenue'],
  revenueWindow: ['revenue'],
  connections: ['connections'],
  contacts: ['connections'],
  mails: ['mails'],
  suppressions: ['mails'],
  tools: [],
  mcp: [],
};

/** These write nothing. A page that shows their answer would ask again, and so on without end. They are no changes of a member either. */
export const previews: ReadonlySet<string> = new Set([
  'webhooks.previewRecovery',
  'automations.rules.previewRecovery',
]);

/** Announces the topics of a write, with the webinar if the input has one. The input is as the caller wrote it. */
export const announceWrites =
  ({ announce }: Pick<ChangeAnnouncer, 'announce'>) =>
  ({ accountId, procedure, input }: Written): void => {
    if (previews.has(procedure)) return;
    const topics = topicsOfWrites[procedure.split('.')[0] as RouterName];
    for (const topic of topics) announce(accountId, topic, webinarIdOf(input));
  };

const webinarIdOf = (input: unknown): string | undefined => {
  const { webinarId } = (input ?? {}) as { webinarId?: unknown };
  return typeof webinarId === 'string' ? webinarId.toLowerCase() : undefined;
};
