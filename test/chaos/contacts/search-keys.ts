import type { ProviderId } from '@service/marketing-providers';
import { credentialOf, type FakeRequest, providerOf } from '@service/marketing-providers/testing';
import { waitUntil } from '../../support/wait-until.ts';
import { check, type Check } from '../drill.ts';
import { findInDatabase, findInTexts } from '../find-secrets.ts';
import type { ChaosWorld } from '../world.ts';
import { register, type Tool } from './tool-account.ts';

/** Revokes the keys, whose refusals repeat them, and searches everything that was written. */
export async function searchKeys(
  world: ChaosWorld,
  tools: readonly Tool[],
  logs: string[],
): Promise<Check[]> {
  for (const tool of tools) {
    tool.fake.key = undefined;
    await register(tool, 'ruled', ['after@example.com']);
  }
  await world.query('update contacts.lane set lease_until = now() where lease_token is not null');
  const worker = await world.startWorker({
    onText: (text) => logs.push(text),
    variables: { LOG_LEVEL: 'debug' },
  });
  await worker.untilReady();
  const ids = tools.map(({ connectionId }) => connectionId);
  const areRefused = await waitUntil(async () => {
    const rows = await world.query(
      `select from connections.connection where id = any($1) and state = 'disconnected'`,
      [ids],
    );
    return rows.length === ids.length;
  }, 60_000);
  const answers = (await Promise.all(tools.map(readAnswers))).flat();
  // In order, so that its last lines are written.
  await worker.stop();
  const secrets = tools.map(({ id }) => credentialOf(id)['key']!);
  const texts = {
    logs: logs.join(''),
    answers: answers.join('\n'),
    calls: tools.map(({ id, fake }) => fake.requests.map((one) => withoutKey(id, one)).join('\n')).join('\n'),
  };
  const found = [...findInTexts(texts, secrets), ...(await findInDatabase(world.query, secrets))];
  // Words that must be found, or the search has read nothing.
  const words = ['after@example.com', 'Starting'];
  const read = findInTexts(texts, words);
  const tables = await findInDatabase(world.query, words);
  return [
    check('the tools refuse the revoked keys', areRefused, areRefused ? 'all' : 'not all'),
    check(
      'the search reads logs, answers, calls and tables',
      read.length === 3 && tables.length >= 3,
      `${read.join(', ')}, ${tables.length} tables`,
    ),
    check(
      'no key is in logs, answers, calls or the database',
      found.length === 0,
      found.join(', ') || 'none',
    ),
  ];
}

/** The request without the header that carries the key. */
function withoutKey(id: ProviderId, { method, path, query, headers, body }: FakeRequest): string {
  const names = new Set(Object.keys(providerOf(id).headers(credentialOf(id))));
  const rest = Object.entries(headers).filter(([name]) => !names.has(name));
  return JSON.stringify([method, path, String(query), rest, body]);
}

/** Everything that REST says about a connection and its people. */
async function readAnswers({ account, connectionId, webinars }: Tool): Promise<string[]> {
  const paths = [
    '/connections',
    `/connections/${connectionId}`,
    `/connections/${connectionId}/sends?limit=100`,
    `/webinars/${webinars.ruled}/automations`,
    `/webinars/${webinars.ruled}/executions?limit=100`,
    `/webinars/${webinars.ruled}/registrations?limit=100`,
  ];
  return Promise.all(paths.map(async (path) => JSON.stringify(await account.call(`GET ${path}`))));
}
