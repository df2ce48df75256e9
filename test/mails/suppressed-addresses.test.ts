import { expect } from 'vitest';
import { createTestAccount } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { test } from '../support/service-test.ts';

test('suppressed addresses are found by their beginning and by their domain, page by page, and not in other workspaces', async ({
  service,
  account,
}) => {
  const dashboard = await openDashboard(service, account);
  const other = await createTestAccount(service);
  const add = (accountId: string, addresses: readonly string[]) =>
    service.db.database.pool.query(
      `insert into mails.suppression (account_id, address, reason, added_at)
       select $1, address, 'by_hand', now() from unnest($2::text[]) as address`,
      [accountId, addresses],
    );
  const addresses = [
    'ada@x.com',
    'ada.b@y.com',
    'Zoe_ä@x.com',
    'bob@x.com',
    'x.com@z.com',
    'x.com@x.com',
    'bob@x.community',
  ];
  await add(account.accountId, [...addresses, `erased:${'0'.repeat(64)}`]);
  await add(other.accountId, ['ada@x.com', 'ada.other@x.com']);
  const find = async (q?: string): Promise<string[]> => {
    const found: string[] = [];
    for (let after: string | undefined; ;) {
      const page = (await dashboard.query('suppressions.list', { q, after, limit: 2 })) as {
        address: string;
      }[];
      found.push(...page.map(({ address }) => address));
      if (page.length < 2) return found;
      after = page.at(-1)!.address;
    }
  };
  expect(await find('ada')).toEqual(['ada.b@y.com', 'ada@x.com']);
  const ofDomain = ['Zoe_ä@x.com', 'ada@x.com', 'bob@x.com', 'x.com@x.com'];
  expect(await find('@x.com')).toEqual(ofDomain);
  expect(await find('x.com')).toEqual([...ofDomain, 'x.com@z.com']);
  expect(await find('bob@x.com')).toEqual(['bob@x.com', 'bob@x.community']);
  expect(await find('_')).toEqual([]);
  expect(await find()).toEqual(addresses.toSorted());
});
