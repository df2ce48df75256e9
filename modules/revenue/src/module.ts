import type { EventSubscriber } from '@service/attendees';
import type { ChangeAnnouncer } from '@service/changes';
import { anyOf, type Database } from '@service/database';
import { defineModule, type HttpDoor } from '@service/module';
import type { SecretBox } from '@service/secrets';
import { creditDecided, CreditDecision, moveDecisions } from './attribution/credit-decision.ts';
import { advanceRuns, CreditRun, hasRunningRun, startCreditRun } from './attribution/credit-run.ts';
import {
  hasDueEvent,
  PostponedEvent,
  publishCredited,
  publishDue,
  settlePostponed,
} from './attribution/postponed-events.ts';
import { CreditRetry, hasCreditRetry, planRetries, retryCredits } from './attribution/retry.ts';
import { revenueWindowRouter } from './attribution/router.ts';
import { RevenueSetting } from './attribution/windows.ts';
import { revenueErrors } from './errors.ts';
import { createClientEventsRouter } from './intake/receive/client-events.ts';
import type { RevenueIntake } from './intake/receive/intake.ts';
import { createRevenueDoor, type DoorParts } from './intake/receive/revenue-door.ts';
import { deleteOldRefused, RefusedEvent } from './intake/refused-events.ts';
import { revenueSourceCommand } from './intake/source/revenue-source-command.ts';
import { createSourcesRouter } from './intake/source/router.ts';
import { RevenueSource, SourceDay } from './intake/source/sources.ts';
import { createBuyerEraser } from './intake/erase-buyer.ts';
import type { Attribution } from './ledger/ledger.ts';
import { EventKey, Payment, PurchaseDescription } from './ledger/payment.ts';
import { EventCredit, RevenueEvent } from './ledger/revenue-event.ts';
import { QuarterTotal, Total } from './ledger/totals.ts';
import { revenueMigrations } from './migrations/index.ts';
import type { TimeZoneReader } from './report/days.ts';
import { createExportDoor, type ExportParts } from './report/export-door.ts';
import { createRevenueRouter } from './report/router.ts';

interface RouterParts {
  revenueIntake: RevenueIntake;
  secretBox: SecretBox;
  readTimeZone: TimeZoneReader;
}

interface WorkerParts {
  database: Database;
  subscriber: EventSubscriber;
  changes: Pick<ChangeAnnouncer, 'announce'>;
}

const source = { table: 'revenue.source', type: 'text', key: ['account_id', 'provider'] } as const;

export const revenueModule = defineModule({
  name: 'revenue',
  entities: [
    RevenueEvent,
    Payment,
    EventCredit,
    EventKey,
    PurchaseDescription,
    Total,
    QuarterTotal,
    RevenueSetting,
    CreditRun,
    CreditRetry,
    CreditDecision,
    PostponedEvent,
    RevenueSource,
    SourceDay,
    RefusedEvent,
  ],
  migrations: revenueMigrations,
  sealed: [
    { ...source, column: 'sealed_secret', context: ['secret_id'] },
    { ...source, column: 'previous_sealed_secret', context: ['previous_secret_id'] },
    {
      table: 'revenue.refused_event',
      column: 'sealed_body',
      type: 'bytea',
      key: ['account_id', 'id'],
      context: ['id'],
    },
  ],
  errors: revenueErrors,
  router: ({ revenueIntake, secretBox, readTimeZone }: RouterParts) => ({
    revenue: createRevenueRouter({ readTimeZone }),
    revenueEvents: createClientEventsRouter({ revenueIntake }),
    revenueSources: createSourcesRouter({ revenueIntake, secretBox }),
    revenueWindow: revenueWindowRouter,
  }),
  http: (parts: DoorParts & ExportParts) => joinDoors([createRevenueDoor(parts), createExportDoor(parts)]),
  subscribers: {
    windows: { onWindowChanged: startCreditRun },
    erasure: createBuyerEraser,
  },
  repeats: ({ database, subscriber, changes }: WorkerParts) => [
    {
      name: 'revenue_credits',
      everyMs: 1000,
      async run(now, { signal, onFailure }) {
        const onChanged = (accountId: string): void => changes.announce(accountId, 'revenue');
        await publishDue(database, { now, subscriber, onFailure, signal });
        await retryCredits(database, { now, subscriber, onChanged, onFailure, signal });
        await advanceRuns(database, { now, onChanged, onFailure, signal });
      },
    },
  ],
  workConditions: { revenue_credits: anyOf([hasDueEvent, hasCreditRetry, hasRunningRun]) },
  jobs: ({ database }: { database: Pick<Database, 'query'> }) => ({
    crons: [
      {
        name: 'revenue.delete_old_refused_events',
        pattern: '23 * * * *',
        async run(now, { log }) {
          const deleted = await deleteOldRefused(database.query, now);
          log.info({ deleted }, 'Old refused revenue events are deleted');
        },
      },
    ],
  }),
  commands: { 'revenue-source': revenueSourceCommand },
});

const joinDoors = (doors: readonly HttpDoor[]): HttpDoor => ({
  mount: (routes) => doors.forEach((door) => door.mount(routes)),
  close: () => doors.forEach((door) => door.close?.()),
});

/** Attribution as the ledger calls it. */
export const createAttribution = ({ subscriber }: { subscriber: EventSubscriber }): Attribution => ({
  async creditPurchases(tx, purchases) {
    const credits = await creditDecided(tx, purchases);
    planRetries(tx, purchases, credits);
    return credits;
  },
  moveDecisions,
  settlePostponed: (tx, payments) => settlePostponed(tx, payments, subscriber),
  publishCredited: (tx, events) => publishCredited(tx, events, { subscriber }),
});
