import { expect, test } from 'vitest';
import { createTestAccount, testApi } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { harbor, macOf } from './harbor.ts';
import { ledgerOf, postEvent } from './sender.ts';

test('a further provider has an address, a secret, its own answers and a test event, and its facts are in the ledger', async () => {
  await using service = await testApi({ options: { otherRevenueProviders: [harbor] } });
  const account = await createTestAccount(service);
  const owner = await openDashboard(service, account);
  await expect(owner.mutate('revenueSources.setSecret', { provider: 'harbor', secret: 'x' })).rejects.toThrow(
    'validation_failed',
  );
  const secret = 'hb_secret';
  await owner.mutate('revenueSources.setSecret', { provider: 'harbor', secret });
  const send = (text: string, key = secret) => {
    const headers = { 'Harbor-Mac': macOf(key, Buffer.from(text)) };
    return postEvent(service, `${account.accountId}/harbor`, { body: text, headers });
  };
  const sale = 'type=sale&ref=sale-1&cents=4900';
  expect(
    [await send(sale), await send(sale), await send('type=visit')].map(({ json }) => json.harbor),
  ).toEqual(['stored', 'duplicate', 'ignored']);
  expect((await send(sale, 'hb_other')).status).toBe(401);
  const { headers, body } = await owner.query('revenueSources.signTest', { provider: 'harbor' });
  expect((await postEvent(service, `${account.accountId}/harbor`, { body, headers })).status).toBe(203);
  expect(await ledgerOf(service, account.accountId)).toMatchObject([
    { provider: 'harbor', event_id: 'sale-1', amount_minor: '4900' },
    { provider: 'harbor', event_id: expect.stringMatching(/^test_/), amount_minor: '0' },
  ]);
  const sources: { provider: string; secretLast4: string | null }[] =
    await owner.query('revenueSources.list');
  expect(sources.find(({ provider }) => provider === 'harbor')).toMatchObject({ secretLast4: 'cret' });
});
