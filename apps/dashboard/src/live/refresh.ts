import { topics, type Topic } from '@service/catalogue';
import { partialMatchKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { useTRPC } from '../trpc.ts';

/** Changed topics with the webinars of their changes. An empty list means any webinar. */
export type Changed = Partial<Record<Topic, readonly string[]>>;

interface Refresher {
  refresh(changed: Changed): void;
  refreshAll(): void;
  close(): void;
}

interface RefresherOptions {
  queryClient: Pick<QueryClient, 'getQueryCache' | 'invalidateQueries'>;
  queriesOf: (topic: Topic) => readonly QueryKey[];
}

/** The first change of a topic is shown at once. While it goes on changing, the wait doubles up to the last of these. */
const gapMinMs = 250;
const gapMaxMs = 4000;

interface Pace {
  /** Undefined: any webinar. */
  webinarIds: Set<string> | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  ranAtMs: number;
  gapMs: number;
}

/** Has the queries of changed topics read again: those on the screen now, and others when they are shown. */
export function createRefresher({ queryClient, queriesOf }: RefresherOptions): Refresher {
  const paces = new Map<Topic, Pace>();

  const run = (topic: Topic, pace: Pace): void => {
    const { webinarIds } = pace;
    const keys = queriesOf(topic);
    paces.set(topic, { ...pace, timer: undefined, webinarIds: new Set(), ranAtMs: performance.now() });
    const isChanged = ({ queryKey }: Query): boolean => {
      const webinarId = webinarIdOf(queryKey);
      if (webinarIds && webinarId !== undefined && !webinarIds.has(webinarId)) return false;
      return keys.some((key) => partialMatchKey(queryKey, key));
    };
    const firstReads = queryClient
      .getQueryCache()
      .findAll({ predicate: isChanged, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined);
    void queryClient.invalidateQueries({ predicate: isChanged });
    for (const query of firstReads) void readAgainAfter(query);
  };

  /** A first read that is under way may have begun before the change, and the cache would keep its result as a current one. */
  const readAgainAfter = async (firstRead: Query): Promise<void> => {
    await firstRead.fetch().catch(() => undefined);
    await queryClient.invalidateQueries({ queryKey: firstRead.queryKey, exact: true });
  };

  const add = (topic: Topic, webinarIds: readonly string[]): void => {
    const nowMs = performance.now();
    const known = paces.get(topic);
    const pace = known ?? { webinarIds: new Set(), timer: undefined, ranAtMs: -Infinity, gapMs: gapMinMs };
    paces.set(topic, pace);
    if (webinarIds.length === 0) pace.webinarIds = undefined;
    for (const webinarId of webinarIds) pace.webinarIds?.add(webinarId);
    if (pace.timer !== undefined) return;
    const isBusy = nowMs - pace.ranAtMs < 2 * pace.gapMs;
    pace.gapMs = isBusy ? Math.min(2 * pace.gapMs, gapMaxMs) : gapMinMs;
    const waitMs = Math.max(0, pace.ranAtMs + pace.gapMs - nowMs);
    pace.timer = setTimeout(() => run(topic, pace), waitMs);
  };

  return {
    refresh(changed) {
      for (const topic of topics) {
        const webinarIds = changed[topic];
        if (webinarIds) add(topic, webinarIds);
      }
    },
    refreshAll: () => void queryClient.invalidateQueries(),
    close() {
      for (const { timer } of paces.values()) clearTimeout(timer);
      paces.clear();
    },
  };
}

type Trpc = ReturnType<typeof useTRPC>;

/** The queries whose records belong to a topic. */
const queriesOfTopics: Record<Topic, (trpc: Trpc) => readonly QueryKey[]> = {
  webinars: (trpc) => [trpc.webinars.pathKey()],
  sessions: (trpc) => [trpc.sessions.pathKey(), trpc.webinars.pathKey()],
  // The preview of a tool's settings shows the latest registrations, and their changes wait for tools.
  registrations: (trpc) => [
    ...connectionsOf(trpc),
    previewKey(trpc),
    trpc.registrations.pathKey(),
    trpc.people.pathKey(),
    trpc.responses.pathKey(),
    trpc.sessions.pathKey(),
    trpc.webinars.pathKey(),
  ],
  interactions: (trpc) => [trpc.interactions.pathKey()],
  segments: (trpc) => [trpc.segments.pathKey()],
  rules: (trpc) => [trpc.automations.pathKey(), trpc.endpoints.pathKey()],
  webhooks: (trpc) => [trpc.webhooks.pathKey(), trpc.endpoints.pathKey()],
  // Rules and subscriptions show their deliveries and the health of their endpoints.
  deliveries: (trpc) => [
    trpc.deliveries.pathKey(),
    trpc.endpoints.pathKey(),
    trpc.automations.pathKey(),
    trpc.webhooks.pathKey(),
  ],
  executions: (trpc) => [trpc.automations.pathKey()],
  // Grants are credentials too.
  keys: (trpc) => [trpc.keys.pathKey(), trpc.grants.pathKey()],
  activity: (trpc) => [trpc.activity.pathKey()],
  members: (trpc) => [trpc.accounts.pathKey()],
  // Registrations show their net, and have a filter for those who bought.
  revenue: (trpc) => [
    trpc.revenue.pathKey(),
    trpc.revenueSources.pathKey(),
    trpc.revenueWindow.pathKey(),
    trpc.registrations.pathKey(),
    trpc.people.pathKey(),
    previewKey(trpc),
  ],
  // Each send to a marketing tool changes what waits for its connection. It changes nothing in the catalogue, for which the tool is asked.
  connections: (trpc) => [
    ...connectionsOf(trpc),
    trpc.connections.changes.pathKey(),
    trpc.connections.domain.pathKey(),
    trpc.contacts.listRuns.pathKey(),
    trpc.contacts.listSends.pathKey(),
    trpc.contacts.ofRegistration.pathKey(),
    ...outcomesOfRules(trpc),
  ],
  mails: (trpc) => [trpc.mails.pathKey(), trpc.suppressions.pathKey(), ...outcomesOfRules(trpc)],
};

/** The connections with their states and the people who wait for them. */
const connectionsOf = ({ connections }: Trpc): readonly QueryKey[] => [
  connections.list.pathKey(),
  connections.listDisconnected.pathKey(),
];

/** The previews of all connections and settings. The call is a mutation, and pages read it like a query. */
export const previewKey = ({ contacts }: Trpc): QueryKey => contacts.preview.mutationKey();

/** Executions show the mails and the sends of their rule. */
const outcomesOfRules = ({ automations }: Trpc): readonly QueryKey[] => [
  automations.executions.pathKey(),
  automations.ruleExecutions.pathKey(),
  automations.rules.explain.pathKey(),
];

export const queriesOf = (topic: Topic, trpc: Trpc): readonly QueryKey[] => queriesOfTopics[topic](trpc);

/** The webinar in the input of a query. Undefined for a query that concerns several. */
function webinarIdOf(queryKey: QueryKey): string | undefined {
  for (const part of queryKey) {
    const { webinarId } = ((part ?? {}) as { input?: { webinarId?: unknown } }).input ?? {};
    if (typeof webinarId === 'string') return webinarId;
  }
  return undefined;
}
