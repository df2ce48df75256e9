import { credentialOf, type FakeProvider, type startFake } from '@service/mail-senders/testing';
import { createMailbox, type MailboxMail } from '@service/mails';
import { eventually } from '../support/eventually.ts';
import { insertMailConnection } from '../support/mail-connections.ts';
import { testWorker, type TestWorker } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';

export interface MailsWorld extends AsyncDisposable {
  world: World;
  worker: TestWorker;
  /** Oldest first. */
  mails(): Promise<MailboxMail[]>;
  /** Waits for so many mails. */
  untilMails(count: number): Promise<MailboxMail[]>;
  /** Waits until no mail is waiting. */
  untilSent(): Promise<void>;
  /** Waits until no mail is waiting and no timer is due. */
  untilQuiet(): Promise<void>;
  /** A statement of the test, such as one that moves a time into the past. */
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** A webinar whose worker sends into the mailbox. */
export async function createMailsWorld(
  options: Parameters<typeof createWorld>[0] = {},
  workerOptions: Parameters<typeof testWorker>[1] = {},
): Promise<MailsWorld> {
  const world = await createWorld(options);
  const { db, api } = world.service;
  const mailbox = createMailbox({ database: db.database, secretBox: api.service.secretBox });
  const worker = await testWorker(db.url, { mail: 'mailbox', ...workerOptions });
  const mails = async (): Promise<MailboxMail[]> => (await mailbox.list()).toReversed();
  const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await db.database.pool.query(text, values)).rows as Row[];
  return {
    world,
    worker,
    mails,
    sql,
    untilMails: (count) =>
      eventually(`${count} mails`, async () => {
        const found = await mails();
        return found.length >= count && found;
      }),
    async untilSent() {
      await eventually(
        'an empty queue',
        async () => (await sql('select mail_id from mails.due limit 1')).length === 0,
      );
    },
    async untilQuiet() {
      await eventually('an empty queue', async () => {
        const [waiting] = await sql<{ count: number }>(
          `select ((select count(*) from mails.due) + (select count(*) from mails.session_timer where due_at <= now()))::int as count`,
        );
        return waiting!.count === 0;
      });
    },
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

type Provider = Parameters<typeof startFake>[0];

/** Makes the fake the default connection of the world's account. Returns its id. */
export async function connectFake(
  { service, accountId }: World,
  fake: FakeProvider,
  provider: Provider = 'postmark',
) {
  fake.verifiedDomains.add('example.com');
  const { api, db } = service;
  const credential = credentialOf(provider, fake);
  const baseUrl = provider === 'smtp' ? null : fake.baseUrl;
  return insertMailConnection(db.database, api.service.connections, {
    accountId,
    provider,
    credential,
    baseUrl,
  });
}
