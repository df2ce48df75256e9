// A workspace with notices about its webhooks, a worker that mails them, and an inbox.
import { createId } from '@service/database';
import { createJobs, defineJob, type Jobs } from '@service/jobs';
import type { SMTPServerOptions } from 'smtp-server';
import { test as base } from 'vitest';
import { z } from 'zod';
import { callRest, createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { testWorker } from '../support/worker.ts';
import { startSmtpInbox, type SmtpInbox } from './smtp-inbox.ts';

export interface OwnerWorld extends AsyncDisposable {
  service: TestApi;
  inbox: SmtpInbox;
  jobs: Jobs;
  dashboardUrl: string;
  /** Runs the task that notifies owners at once. */
  notify(): Promise<void>;
  /** The number of notices that were not taken yet. */
  untakenNotices(): Promise<number>;
  /** Waits for this many mails, and then until no job is left that could send another. */
  untilReceived(count: number): Promise<SmtpInbox['received']>;
}

const notifyOwnersJob = defineJob({ name: 'worker.tell_owners', payload: z.object({}) });

/** Tests that need no mail server of their own share a world. Each begins with an empty inbox. */
export const test = base
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest reads here which fixtures this one needs
  .extend('shared', { scope: 'file' }, async ({}, { onCleanup }) => {
    const shared = await createOwnerWorld();
    onCleanup(() => shared[Symbol.asyncDispose]());
    return shared;
  })
  .extend('world', ({ shared }) => {
    shared.inbox.received.length = 0;
    return shared;
  });

interface OwnerWorldOptions {
  smtp?: SMTPServerOptions;
  sendsMail?: boolean;
}

export async function createOwnerWorld({
  smtp = {},
  sendsMail = true,
}: OwnerWorldOptions = {}): Promise<OwnerWorld> {
  await using opened = new AsyncDisposableStack();
  const service = opened.use(await testApi());
  const { pool } = service.db.database;
  const inbox = opened.use(await startSmtpInbox(smtp));
  const jobs = createJobs(pool);
  const dashboardUrl = 'https://webinars.example.com';
  const mail = { smtpUrl: inbox.url, from: 'Webinars <hooks@example.com>' };
  opened.use(await testWorker(service.db.url, { mail: sendsMail ? mail : undefined }));
  const kept = opened.move();

  const count = async (text: string): Promise<number> => (await pool.query(text)).rows[0].count;
  const untakenNotices = () =>
    count('select count(*)::int as count from deliveries.endpoint_notice where told_at is null');
  return {
    service,
    inbox,
    jobs,
    dashboardUrl,
    untakenNotices,
    notify: () => jobs.enqueueNow(notifyOwnersJob, {}),
    async untilReceived(mails) {
      await eventually(`${mails} mails`, () => inbox.received.length >= mails);
      await eventually('all work to be done', async () => {
        const left = await count('select count(*)::int as count from graphile_worker.jobs');
        return left + (await untakenNotices()) === 0;
      });
      return inbox.received;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

export interface Team {
  accountId: string;
  webinarId: string;
  ownerEmail: string;
  /** Makes a rule that sends to `url`; returns its endpoint's id. */
  addRule(name: string, url: string): Promise<string>;
  /** Makes a subscription that sends to `url`; returns its endpoint's id. */
  addSubscription(url: string): Promise<string>;
}

/** A workspace with a webinar and its owner. */
export async function createTeam({ service }: OwnerWorld): Promise<Team> {
  const { accountId, email, key, webinar } = await createTestWorld(service);
  const { pool } = service.db.database;
  const create = async (what: 'automations' | 'webhooks', body: unknown): Promise<string> => {
    const { json } = await callRest(service, `POST /webinars/${webinar.id}/${what}`, { key, body });
    const table = what === 'automations' ? 'rule' : 'subscription';
    const { rows } = await pool.query(`select endpoint_id from automations.${table} where id = $1`, [
      json.data.id,
    ]);
    return rows[0].endpoint_id;
  };
  return {
    accountId,
    webinarId: webinar.id,
    ownerEmail: email,
    addRule: (name, url) =>
      create('automations', { name, trigger: { type: 'registered' }, action: { type: 'webhook', url } }),
    addSubscription: (url) => create('webhooks', { url, eventTypes: ['registered'] }),
  };
}

interface Notice {
  kind: 'paused' | 'recovered';
  reason?: string;
  at?: string;
}

/** Writes a notice like a delivery worker. */
export async function addNotice(
  { service }: OwnerWorld,
  { accountId }: Pick<Team, 'accountId'>,
  { endpointId, kind, reason, at = '2026-11-20T21:14:09.123Z' }: Notice & { endpointId: string },
): Promise<void> {
  await service.db.database.pool.query(
    `insert into deliveries.endpoint_notice (id, account_id, endpoint_id, kind, reason, at)
     values ($1, $2, $3, $4, $5, $6)`,
    [createId(), accountId, endpointId, kind, reason ?? null, at],
  );
}
