// Connections to marketing tools in several states, with a history. No worker runs, so registrants wait for them.
import { createId } from '@service/database';
import { credentialOf, startFake, type RunningFake } from '@service/marketing-providers/testing';
import { allInStep } from '../contacts/contacts-world.ts';
import type { TestApi } from '../support/api.ts';
import { insertMarketingConnection } from '../support/marketing-connections.ts';

interface Wanted {
  accountId: string;
  /** Undefined: one connection without trouble. */
  longName: string | undefined;
}

/** Returns the id of a connection that works, and its tool. */
export async function connectTools(
  { db: { database }, api }: TestApi,
  { accountId, longName }: Wanted,
): Promise<{ connectionId: string; fake: RunningFake }> {
  const fake = await startFake('mailchimp');
  const connect = (provider: 'mailchimp' | 'klaviyo' | 'kit') =>
    insertMarketingConnection(database, api.service.connections, {
      accountId,
      provider,
      credential: credentialOf(provider),
      baseUrl: fake.baseUrl,
      sync: {
        ...allInStep,
        fields: { lastWebinar: { key: 'LASTWEB', policy: 'always' } },
        domainsLeftOut: ['acme.example'],
      },
    });
  const connectionId = await connect('mailchimp');
  if (longName !== undefined) {
    await database.query({ text: setState }, [
      accountId,
      await connect('klaviyo'),
      longName.slice(0, 100),
      'disconnected',
      'The API key specified is invalid. (HTTP 401)',
    ]);
    await database.query({ text: setState }, [
      accountId,
      await connect('kit'),
      'Newsletter',
      'failing',
      'The tool did not take the call "Update subscriber" (HTTP 503).',
    ]);
  }
  for (const [index, [outcome, status, reason]] of history.entries())
    await database.query({ text: insertSend }, [
      accountId,
      createId(),
      connectionId,
      `ada${index}@example.com`,
      outcome,
      status,
      reason,
    ]);
  return { connectionId, fake };
}

const history = [
  ['later', 503, 'The service is unavailable. (HTTP 503)'],
  [
    'person_refused',
    400,
    'ada@example.com looks fake or invalid, please enter a real email address. (HTTP 400)',
  ],
  ['left', 400, 'ada@example.com was permanently deleted and cannot be re-imported. (HTTP 400)'],
  ['done', 200, null],
] as const;

const setState = `
  update connections.connection set name = $3, state = $4, reason = $5, last_failure_at = now()
  where account_id = $1 and id = $2`;

const insertSend = `
  insert into contacts.send (account_id, id, connection_id, contact, causes, calls, status, outcome, reason, duration_ms, fields, body_hash)
  values ($1, $2, $3, $4, '[]', '["Add or update member"]', $6, $5, $7, 143, '["LASTWEB"]', repeat('0123456789abcdef', 4))`;
