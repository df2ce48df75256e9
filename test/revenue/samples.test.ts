import { expect } from 'vitest';
import { purchase, test } from './sender.ts';

test('the code of the API reference sends an event that is stored', async ({ shop }) => {
  const { service, account, secret } = shop;
  const document = await (await fetch(`${service.baseUrl}/api/v1/openapi.json`)).json();
  const { description } = (document as { info: { description: string } }).info;
  const section = description.slice(description.indexOf('# Revenue webhooks'));
  const code = /```js\n([\s\S]*?)```/.exec(section)![1]!;
  const { sendEvent } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const url = /POST (\S*\/generic)/.exec(section)![1]!.replace('{accountId}', account.accountId);
  const answer: Response = await sendEvent(url, secret, purchase());
  expect([answer.status, await answer.json()]).toEqual([202, { status: 'accepted', id: expect.any(String) }]);
});
