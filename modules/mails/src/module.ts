import type { Database } from '@service/database';
import { defineModule } from '@service/module';
import type { MailTaskParts } from '@service/mail';
import { webinarMailEntities } from './entities.ts';
import { createMailSubscriber } from './mail-subscriber.ts';
import { createMailboxDoor, type DoorParts } from './mailbox-door.ts';
import { MailboxMailRow } from './mailbox.ts';
import { mailsMigrations, mailsPartitionedTables } from './migrations/index.ts';
import { fireSessionTimers } from './plan/fire-timers.ts';
import { createSendMailTasks } from './send-mail.ts';

export const mailsModule = defineModule({
  name: 'mails',
  entities: [MailboxMailRow, ...webinarMailEntities],
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
  subscribers: { events: createMailSubscriber },
  repeats: ({ database }: { database: Pick<Database, 'query' | 'transaction'> }) => [
    {
      name: 'mail_timers',
      everyMs: 1000,
      run: (now, { signal, onFailure }) => fireSessionTimers(database, { now, signal, onFailure }),
    },
  ],
  http: (parts: DoorParts) => createMailboxDoor(parts),
  jobs: (parts: MailTaskParts) => ({ tasks: createSendMailTasks(parts) }),
});
