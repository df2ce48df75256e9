// Connectors, from a client without a token to its calls: consent in the browser, the list of connected clients, and their end.
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAttempt, registerClient, requestOf } from '../connectors/oauth-client.ts';
import {
  createTestAccount,
  createTestWorld,
  testApi,
  type TestAccount,
  type TestApi,
} from '../support/api.ts';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { tabTo, typeInto } from '../support/keyboard.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { signIn } from '../support/sign-in.ts';

let service: TestApi;
let browser: TestBrowser;
let callback: Receiver;
beforeAll(async () => {
  service = await testApi();
  browser = await launchBrowser();
  callback = await startReceiver();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await callback[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

/** A client as its vendor builds it on the SDK: the provider stores in memory, and the browser opens the URL. */
function createConnector(name: string) {
  let authorizationUrl: URL | undefined;
  const stored: Record<string, unknown> = {};
  const provider: OAuthClientProvider = {
    redirectUrl: callback.url,
    clientMetadata: { client_name: name, redirect_uris: [callback.url] },
    clientInformation: () => stored['client'] as never,
    saveClientInformation: (client) => void (stored['client'] = client),
    tokens: () => stored['tokens'] as never,
    saveTokens: (tokens) => void (stored['tokens'] = tokens),
    redirectToAuthorization: (url) => void (authorizationUrl = url),
    saveCodeVerifier: (verifier) => void (stored['verifier'] = verifier),
    codeVerifier: () => stored['verifier'] as string,
    invalidateCredentials: () => void delete stored['tokens'],
    saveDiscoveryState: (state) => void (stored['discovery'] = state),
    discoveryState: () => stored['discovery'] as never,
  };
  const url = new URL(`${service.baseUrl}/mcp/connect`);
  const createTransport = () => new StreamableHTTPClientTransport(url, { authProvider: provider });
  const client = () => new Client({ name: 'test', version: '1' });
  return {
    /** The address that the client opens in the browser after its first refusal. */
    async begin(): Promise<URL> {
      await expect(client().connect(createTransport())).rejects.toThrow(UnauthorizedError);
      return authorizationUrl!;
    },
    /** Continues with the answer that the browser brought to the callback. */
    async finish(answer: URL): Promise<Client> {
      await createTransport().finishAuth(answer.searchParams);
      const connected = client();
      await connected.connect(createTransport());
      return connected;
    },
  };
}

/** The answer that the browser brings to the client. */
async function answerIn(page: Page): Promise<URL> {
  await page.waitForURL(`${callback.url}?*`);
  return new URL(page.url());
}

const openTools = (page: Page, { accountId }: TestAccount) =>
  page.goto(`${service.baseUrl}/w/${accountId}/ai-tools`);

const endedRows = (page: Page) =>
  page.getByRole('region', { name: 'Clients without access' }).getByRole('row');
const grantRows = (page: Page) => page.getByRole('region', { name: 'Connected clients' }).getByRole('row');

test('a client is allowed with the keyboard alone, calls a tool, is listed, and is refused after the access is revoked', async () => {
  const world = await createTestWorld(service, await createTestAccount(service));
  const connector = createConnector('Orbit');
  const page = await browser.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));

  // A person who is not signed in comes back to the request.
  await page.goto((await connector.begin()).href);
  await typeInto(page, page.getByLabel(/^E-?mail/), world.email);
  await typeInto(page, page.getByLabel('Password', { exact: true }), world.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Connect Orbit' }).waitFor();
  await page.getByText('We cannot check who runs this client.').waitFor();
  await page.getByText('The answer goes to a program on this computer.').waitFor();
  expect(await page.getByRole('radio', { name: 'Read only' }).isChecked()).toBe(true);
  await tabTo(page, page.getByRole('checkbox', { name: 'webinars:write' }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('checkbox', { name: 'automations:write' }));
  await page.keyboard.press('Space');
  await page
    .getByText('automations:write can send data of attendees to any address, and e-mails to attendees.')
    .waitFor();
  expect(await page.getByRole('radio', { name: 'Custom' }).isChecked()).toBe(true);
  await tabTo(page, page.getByRole('button', { name: 'Allow access' }));
  await page.keyboard.press('Enter');

  const client = await connector.finish(await answerIn(page));
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('publish_webinar');
  expect(names).not.toContain('create_registration');
  const found = await client.callTool({ name: 'list_webinars', arguments: {} });
  expect(found.structuredContent).toMatchObject({ data: [{ id: world.webinar.id }] });

  await openTools(page, world);
  const row = grantRows(page).filter({ hasText: 'Orbit' });
  await row.getByText('Connected', { exact: true }).waitFor();
  expect(await row.innerText()).toContain('10 scopes');
  // The stream brings the calls of a connected client to the open page.
  const before = Number(await row.getByRole('cell').nth(4).innerText());
  await client.callTool({ name: 'list_webinars', arguments: {} });
  await expect
    .poll(async () => Number(await row.getByRole('cell').nth(4).innerText()), { timeout: 20_000 })
    .toBe(before + 1);
  await page.getByRole('region', { name: 'Last calls' }).getByText('Orbit').first().waitFor();

  await tabTo(page, page.getByRole('button', { name: 'Revoke Orbit' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Revoke the access of Orbit' });
  await tabTo(page, dialog.getByRole('button', { name: 'Revoke access' }));
  await page.keyboard.press('Enter');
  await page.getByText('1 client without access now').click();
  await endedRows(page).getByText('Revoked').waitFor();
  // The client asks for access again, in the browser.
  await expect(client.callTool({ name: 'list_webinars', arguments: {} })).rejects.toThrow(UnauthorizedError);
  expect(failures).toEqual([]);
  await page.close();
});

test('Deny sends the client away without access and is listed, and a request that was changed or is missing shows the reason', async () => {
  const account = await createTestAccount(service);
  const page = await browser.newPage();
  await signIn(page, service, account);
  await page.goto((await createConnector('Orbit').begin()).href);
  const request = new URL(page.url()).searchParams.get('request')!;
  await page.route('**/trpc/connectors.deny*', (route) => route.abort(), { times: 1 });
  const deny = page.getByRole('button', { name: 'Deny' });
  await tabTo(page, deny);
  await page.keyboard.press('Enter');
  await page.getByText('The service could not be reached.').waitFor();
  // The focus is still there, so Enter tries again.
  await deny.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  const answer = await answerIn(page);
  expect(answer.searchParams.get('error')).toBe('access_denied');
  expect(answer.searchParams.has('code')).toBe(false);
  await openTools(page, account);
  await page.getByText('1 client without access now').click();
  await endedRows(page).filter({ hasText: 'Orbit' }).getByText('Denied', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Revoke Orbit' }).count()).toBe(0);

  // The Back button of the browser shows the request again.
  await page.goto(`${service.baseUrl}/connect?request=${encodeURIComponent(request)}`);
  await page.getByRole('button', { name: 'Allow access' }).click();
  await page.getByRole('heading', { name: 'This request was already answered' }).waitFor();
  const changed = `${request.slice(0, -4)}${request.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
  for (const search of [`?request=${encodeURIComponent(changed)}`, '']) {
    await page.goto(`${service.baseUrl}/connect${search}`);
    await page.getByRole('heading', { name: 'This request is not valid' }).waitFor();
    expect(await page.getByRole('button', { name: 'Allow access' }).count()).toBe(0);
  }
  await page.close();
});

test('a person with two workspaces chooses one, and only that one has the client', async () => {
  const [own, other] = [await createTestAccount(service), await createTestAccount(service)];
  await service.api.service.accounts.addMember({
    accountId: other.accountId,
    email: own.email,
    password: own.password,
    role: 'member',
  });
  const clientId = await registerClient(service, {
    client_name: 'Orbit',
    redirect_uris: [callback.url],
  });
  const attempt = createAttempt(service, clientId, {
    redirect_uri: callback.url,
    scope: 'webinars:read webinars:write',
  });
  const page = await browser.newPage();
  await signIn(page, service, own);
  await page.goto(
    `${service.baseUrl}/connect?request=${encodeURIComponent(await requestOf(service, attempt))}`,
  );
  // Only the scopes that the client asks for are offered.
  await page.getByRole('checkbox', { name: 'webinars:read' }).waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(2);
  await page.getByLabel('Workspace').selectOption(other.accountId);
  await page.reload();
  expect(await page.getByLabel('Workspace').inputValue()).toBe(other.accountId);
  await page.getByRole('radio', { name: 'Full access' }).click();
  await page.getByRole('button', { name: 'Allow access' }).click();
  const code = (await answerIn(page)).searchParams.get('code');
  const { rows } = await service.db.database.pool.query(
    'select account_id, scopes from connectors.grant where client_name = $1 and account_id = any($2)',
    ['Orbit', [own.accountId, other.accountId]],
  );
  expect(code).toBeTruthy();
  expect(rows).toEqual([{ account_id: other.accountId, scopes: ['webinars:read', 'webinars:write'] }]);
  await page.close();
});

test('a client that connects again shows on the consent page that it has access, and replaces it if the person chooses so', async () => {
  const account = await createTestAccount(service);
  const page = await browser.newPage();
  await signIn(page, service, account);
  const clientId = await registerClient(service, { client_name: 'Orbit', redirect_uris: [callback.url] });
  const ask = async () => {
    const attempt = createAttempt(service, clientId, { redirect_uri: callback.url });
    await page.goto(
      `${service.baseUrl}/connect?request=${encodeURIComponent(await requestOf(service, attempt))}`,
    );
    await page.getByRole('button', { name: 'Allow access' }).waitFor();
  };
  const allow = async () => {
    await page.getByRole('button', { name: 'Allow access' }).click();
    await answerIn(page);
  };
  const replace = page.getByRole('checkbox', { name: 'End the earlier access of this client' });
  await ask();
  expect(await replace.count()).toBe(0);
  await allow();
  await ask();
  await page.getByText('already has 1 connection').waitFor();
  expect(await replace.isChecked()).toBe(false);
  await replace.check();
  await allow();
  await openTools(page, account);
  const rows = grantRows(page).filter({ hasText: 'Orbit' });
  await rows.first().waitFor();
  await page.getByText('1 client without access now').click();
  expect(await endedRows(page).filter({ hasText: 'Replaced' }).count()).toBe(1);
  expect(await rows.filter({ hasText: 'Not connected' }).count()).toBe(1);
  await page.close();
});
