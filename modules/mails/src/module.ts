import { defineModule } from '@service/module';
import type { MailTaskParts } from '@service/mail';
import { webinarMailEntities } from './entities.ts';
import { createMailboxDoor, type DoorParts } from './mailbox-door.ts';
import { MailboxMailRow } from './mailbox.ts';
import { mailsMigrations, mailsPartitionedTables } from './migrations/index.ts';
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
  http: (parts: DoorParts) => createMailboxDoor(parts),
  jobs: (parts: MailTaskParts) => ({ tasks: createSendMailTasks(parts) }),
});
