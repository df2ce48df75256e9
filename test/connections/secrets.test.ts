// A provider key is searched for in everything that the service writes or answers.
import { createLog } from '@service/log';
import { createSecret } from '@service/signing';
import { expect, test } from 'vitest';
import { callRest, createTestAccount, createTestKey, testApi } from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { refusalWithIssues, resendInput } from './connections-world.ts';
import { newKey, startMailProvider } from './mail-provider.ts';

test('a key is in no log line, no answer, no column and no activity, also when the provider or the database fails', async () => {
  const lines: string[] = [];
  const log = createLog('test', { level: 'trace', destination: { write: (line) => void lines.push(line) } });
  await using provider = await startMailProvider();
  await using service = await testApi({ log });
  const { pool } = service.db.database;
  const account = await createTestAccount(service);
  const owner = await openDashboard(service, account);
  const wrong = newKey();
  const { connection } = await owner.mutate('connections.connect', resendInput(provider));
  const connectionId = connection.id;
  const reportSecret = createSecret();
  const replace = (key: string) => ({ connectionId, credential: { key }, baseUrl: provider.url });
  const answers: string[] = [JSON.stringify(connection)];
  const refuse = async (procedure: string, input: object) =>
    answers.push((await refusalWithIssues({ service, account }, procedure, input)).text);

  await refuse('connections.replaceCredential', replace(wrong));
  await refuse('connections.replaceCredential', { ...replace(provider.key), more: provider.key });
  provider.override = (request, response) =>
    void response.writeHead(500).end(`Failed: ${request.headers.authorization}`);
  await refuse('connections.replaceCredential', replace(provider.key));
  await owner.mutate('connections.check', { connectionId });
  provider.override = (request) => void request.socket.destroy();
  await refuse('connections.replaceCredential', replace(provider.key));
  provider.override = undefined;
  await pool.query(
    `alter table connections.connection add constraint refused check (credential_version < 2) not valid`,
  );
  await refuse('connections.replaceCredential', replace(provider.key));
  answers.push(
    JSON.stringify(
      await owner.mutate('connections.changeReportSecret', { connectionId, secret: reportSecret }),
    ),
  );
  await refuse('connections.changeReportSecret', { connectionId, secret: `no ${reportSecret}` });
  const { key } = await createTestKey(service, account.accountId);
  answers.push((await callRest(service, 'GET /connections', { key })).text);
  expect(await refusalOf(owner.query('connections.get', { connectionId }))).toBe('accepted');
  await service.api.service.activity.flush();

  const tables = ['connections.connection', 'connections.connection_change', 'activity.api_call'];
  const stored = await Promise.all(
    tables.map(async (table) => (await pool.query(`select json_agg(t)::text as rows from ${table} t`)).rows),
  );
  expect(lines.join('')).toContain('violates check constraint');
  for (const [where, text] of Object.entries({ logs: lines.join(''), answers, stored })) {
    expect(JSON.stringify(text), where).not.toContain(provider.key.slice(0, -4));
    expect(JSON.stringify(text), where).not.toContain(wrong.slice(0, -4));
    expect(JSON.stringify(text), where).not.toContain(reportSecret.slice(6, -4));
  }
});
