import type { Topic } from '@service/catalogue';
import type { ChangeAnnouncer } from '@service/changes';
import type { Written } from '@service/trpc';
import type { ServiceRouter } from './service-router.ts';

type RouterName = keyof ServiceRouter['_def']['record'];

/** The topics that writes of each router may change. A new router does not compile without an entry. */
const topicsOfWrites: Record<RouterName, readonly Topic[]> = {
  accounts: ['members'],
  keys: ['keys'],
  connectors: ['keys'],
  grants: ['keys'],
  retention: [],
  activity: [],
  webinars: ['webinars', 'sessions', 'registrations'],
  segments: ['segments', 'webinars'],
  sessions: ['sessions', 'webinars', 'registrations'],
  interactions: ['interactions', 'webinars'],
  registrations: ['registrations', 'sessions', 'webinars'],
  responses: [],
  webhooks: ['webhooks', 'deliveries'],
  automations: ['rules', 'deliveries'],
  deliveries: ['deliveries'],
  endpoints: ['deliveries'],
  revenue: [],
  revenueSources: ['revenue'],
  revenueWindow: ['revenue'],
  tools: [],
  mcp: [],
};

/** These write nothing. A page that shows their answer would ask again, and so on without end. */
const previews: ReadonlySet<string> = new Set([
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
