import type { AccountWriter, Database } from '@service/database';
import { defineModule } from '@service/module';
import type { MailTaskParts } from '@service/mail';
import { deleteOldTests } from './api/test-mails.ts';
import { createMailsRouter, suppressionsRouter, type RouterParts } from './api/router.ts';
import { webinarMailEntities } from './entities.ts';
import { createMailSubscriber } from './mail-subscriber.ts';
import { mailErrors } from './errors.ts';
import { createMailboxDoor, type DoorParts } from './mailbox-door.ts';
import { MailboxMailRow } from './mailbox.ts';
import { mailsMigrations, mailsPartitionedTables } from './migrations/index.ts';
import { createMailEraser } from './suppression/erase-mails.ts';
import { DayCount, sweepCounts, WaitingCount } from './queue/mail-counts.ts';
import { setSuspended } from './queue/suspend-lane.ts';
import { fireSessionTimers, hasDueSessionTimer } from './plan/fire-session-timers.ts';
import { deleteOldReports } from './suppression/record-reports.ts';
import { createReportDoor, type ReportParts } from './suppression/report-door.ts';
import { createUnsubscribeDoor, type UnsubscribeParts } from './suppression/unsubscribe-door.ts';
import { hasWaitingMail } from './send/claim-mails.ts';
import { createSendMailTask } from './send-mail.ts';

interface TimerParts {
  database: Pick<Database, 'query' | 'transaction'>;
  mailBacklogMax: number;
}

export const mailsModule = defineModule({
  name: 'mails',
  entities: [MailboxMailRow, ...webinarMailEntities, WaitingCount, DayCount],
  migrations: mailsMigrations,
  partitions: mailsPartitionedTables,
  sealed: [
    {
      table: 'mails.mailbox_mail',
      column: 'sealed_mail',
      type: 'text',
      key: ['id'],
      context: ['id'],
      hasAccount: false,
    },
  ],
  errors: mailErrors,
  router: (parts: RouterParts) => ({ mails: createMailsRouter(parts), suppressions: suppressionsRouter }),
  subscribers: {
    events: createMailSubscriber,
    erasure: createMailEraser,
    suspension: {
      accountSuspended: (tx: AccountWriter) => setSuspended(tx, true),
      accountResumed: (tx: AccountWriter) => setSuspended(tx, false),
    },
  },
  repeats: ({ database, mailBacklogMax }: TimerParts) => [
    {
      name: 'mail_timers',
      everyMs: 1000,
      run: (now, { signal, onFailure }) =>
        fireSessionTimers(database, { now, signal, onFailure, backlogMax: mailBacklogMax }),
    },
  ],
  workConditions: { due_mails: hasWaitingMail, mail_timers: hasDueSessionTimer },
  http: (parts: DoorParts & UnsubscribeParts & ReportParts) => {
    const doors = [createMailboxDoor(parts), createUnsubscribeDoor(parts), createReportDoor(parts)];
    return {
      mount(routes) {
        for (const door of doors) door.mount(routes);
      },
    };
  },
  jobs: (parts: MailTaskParts & { database: Pick<Database, 'query'> }) => ({
    tasks: [createSendMailTask(parts)],
    crons: [
      {
        name: 'mails.delete_old_reports',
        pattern: '51 * * * *',
        run: (now) => deleteOldReports(parts.database, now),
      },
      {
        name: 'mails.sweep_counts',
        pattern: '53 * * * *',
        async run(now) {
          await sweepCounts(parts.database, now);
          await deleteOldTests(parts.database, now);
        },
      },
    ],
  }),
});
