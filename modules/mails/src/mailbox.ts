// The mailbox of the embedded default: it takes the mails that a mail server would get, so that they can be read at /mail.
import { namesAddress } from '@service/module';
import { defineEntity, p } from '@mikro-orm/postgresql';
import {
  column,
  createId,
  idTime,
  statement,
  type AccountWriter,
  type Database,
  type RowsOf,
} from '@service/database';
import { requireAddress, type Mail, type Mailer } from '@service/mail';
import type { SecretBox } from '@service/secrets';
import { z } from 'zod';

export const MailboxMailRow = defineEntity({
  name: 'MailboxMail',
  tableName: 'mailbox_mail',
  schema: 'mails',
  properties: {
    id: p.uuid().primary(),
    /** The whole mail: its links are credentials. */
    sealedMail: p.text(),
  },
});

/** The oldest ones are deleted. */
const mailsMax = 200;

/** Characters of a stored mail. */
const lengthMax = 512_000;

const StoredMail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
  calendar: z.object({ content: z.string(), method: z.enum(['REQUEST', 'CANCEL']) }).optional(),
  messageId: z.string().optional(),
  fromName: z.string().optional(),
  replyTo: z.string().optional(),
  unsubscribeUrl: z.string().optional(),
  accountId: z.string().optional(),
});

export type MailboxMail = z.infer<typeof StoredMail> & { id: string; at: Date };

export interface Mailbox extends Mailer {
  /** Newest first, at most 200. */
  list(): Promise<MailboxMail[]>;
  /** Undefined for an unknown id. */
  find(id: string): Promise<MailboxMail | undefined>;
}

interface MailboxOptions {
  database: Pick<Database, 'query'>;
  secretBox: SecretBox;
}

const openMail = (
  { id, sealed_mail: sealed }: RowsOf<typeof selectMails>,
  secretBox: SecretBox,
): MailboxMail => ({
  ...StoredMail.parse(JSON.parse(secretBox.open(sealed, id))),
  id,
  at: idTime(id),
});

/** Deletes the mails of an account to an address, in lower case, and those that name it. */
export async function eraseFromMailbox(
  { query, accountId }: AccountWriter,
  email: string,
  secretBox: SecretBox,
): Promise<void> {
  const mails = (await query(selectMails, [mailsMax])).map((row) => openMail(row, secretBox));
  const ids = mails
    .filter(
      (mail) =>
        mail.accountId === accountId && namesAddress(`${mail.to} ${mail.subject} ${mail.text}`, email),
    )
    .map(({ id }) => id);
  if (ids.length > 0) await query(deleteMails, [ids]);
}

export function createMailbox({ database: { query }, secretBox }: MailboxOptions): Mailbox {
  const open = (row: RowsOf<typeof selectMails>): MailboxMail => openMail(row, secretBox);
  return {
    address: 'mailbox@localhost.localdomain',
    async send(mail: Mail) {
      requireAddress(mail.to);
      const text = JSON.stringify(StoredMail.parse(mail));
      if (text.length > lengthMax) throw new Error('The mail is too long for the mailbox.');
      const id = createId();
      await query(insertMail, [id, secretBox.seal(text, id)]);
      await query(deleteOldMails, [mailsMax]);
    },
    list: async () => (await query(selectMails, [mailsMax])).map(open),
    async find(id) {
      const [row] = await query(selectMail, [id]);
      return row && open(row);
    },
    close: () => undefined,
  };
}

const columns = { id: column.id, sealed_mail: column.text };

const insertMail = statement({
  name: 'mails.insert_mailbox_mail',
  text: 'insert into mails.mailbox_mail (id, sealed_mail) values ($1, $2)',
});

const deleteOldMails = statement({
  name: 'mails.delete_old_mailbox_mails',
  text: `
    delete from mails.mailbox_mail
    where id <= (select id from mails.mailbox_mail order by id desc offset $1 limit 1)`,
});

const deleteMails = statement({
  name: 'mails.delete_mailbox_mails',
  text: 'delete from mails.mailbox_mail where id = any($1::uuid[])',
});

const selectMails = statement({
  name: 'mails.select_mailbox_mails',
  text: 'select id, sealed_mail from mails.mailbox_mail order by id desc limit $1',
  row: columns,
});

const selectMail = statement({
  name: 'mails.select_mailbox_mail',
  text: 'select id, sealed_mail from mails.mailbox_mail where id = $1',
  row: columns,
});
