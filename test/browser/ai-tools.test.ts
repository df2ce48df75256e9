// The page that connects AI clients with a key. Consent in place of a key is in consent.test.ts.
import { execFileSync } from 'node:child_process';
import { toolCatalogue } from '@service/composition';
import { summarizeTools } from '@service/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestKey,
  createTestWorld,
  testApi,
  type TestAccount,
  type TestApi,
} from '../support/api.ts';
import { copyBy, launchBrowser, type TestBrowser } from '../support/browser.ts';
import { signIn } from '../support/sign-in.ts';

let service: TestApi;
let browser: TestBrowser;
beforeAll(async () => {
  service = await testApi();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const permissions = ['clipboard-read', 'clipboard-write'];
const pageUrl = ({ accountId }: Pick<TestAccount, 'accountId'>, search = '') =>
  `${service.baseUrl}/w/${accountId}/ai-tools${search}`;

interface RemoteServer {
  url: string;
  headers: Record<string, string>;
}

/** A client as Cursor and others build it from their configuration. */
async function connect({ url, headers }: RemoteServer): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

test('a key is created for Cursor, a client with the copied configuration turns the light green, and its calls are in Activity', async () => {
  const account = await createTestWorld(service, await createTestAccount(service));
  const context = await browser.newContext({ permissions });
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('dialog', (question) => {
    failures.push(`The browser asks: ${question.type()}`);
    void question.dismiss();
  });
  await signIn(page, service, account);
  await page.getByRole('link', { name: 'AI tools' }).first().click();
  await page.getByRole('tab', { name: 'Cursor' }).click();
  await page.getByText('With a key', { exact: true }).click();
  await page.getByRole('button', { name: 'Create a key for Cursor' }).click();
  expect(await page.getByLabel('Label').inputValue()).toBe('Cursor');
  expect(await page.getByRole('radio', { name: 'Read only' }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Create key' }).click();

  const dialog = page.getByRole('dialog', { name: 'Connect Cursor' });
  const key = (await page.getByTestId('new-key').textContent())!.trim();
  await dialog.getByText('Waiting for the first call').waitFor();
  const configuration = await copyBy(page, dialog.getByRole('button', { name: 'Copy configuration' }));
  const server: RemoteServer = JSON.parse(configuration).mcpServers.webinars;
  expect(server).toEqual({ url: `${service.baseUrl}/mcp`, headers: { Authorization: `Bearer ${key}` } });
  const addToCursor = dialog.getByRole('link', { name: 'Add to Cursor' });
  await addToCursor.click();
  const link = new URL((await addToCursor.getAttribute('href'))!);
  expect(JSON.parse(Buffer.from(link.searchParams.get('config')!, 'base64').toString())).toEqual(server);
  expect(page.url()).not.toContain(key);

  const client = await connect(server);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('list_webinars');
  expect(names).not.toContain('create_webinar');
  await client.callTool({ name: 'list_webinars', arguments: {} });
  await dialog.getByText('Connected', { exact: true }).waitFor({ timeout: 20_000 });
  await dialog.getByText('list_webinars').waitFor({ timeout: 20_000 });
  await client.close();
  expect((await callRest(service, 'GET /webinars', { key })).status).toBe(401);

  await dialog.getByLabel('I have stored this key').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(key);
  await page.reload();
  await page.getByTestId('first-call').getByText('Connected', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Open in Activity' }).click();
  const rows = page.getByRole('region', { name: 'API activity' }).getByRole('row');
  await rows.filter({ hasText: 'list_webinars' }).waitFor();
  expect(await rows.filter({ hasText: 'REST' }).count()).toBe(0);
  await page.getByRole('link', { name: 'API keys' }).first().click();
  const created = page.getByRole('region', { name: 'API keys' }).getByRole('row', { name: /Cursor/ });
  await created.waitFor();
  expect(await created.innerText()).toContain('MCP');
  expect(await created.getByTitle('REST API', { exact: true }).count()).toBe(0);
  expect(failures).toEqual([]);
  await context.close();
});

/** The server in the configuration that the page shows for a client. */
const readers: Record<string, (code: string, key: string) => RemoteServer> = {
  'claude-code': (code, key) => {
    const script = `claude() { printf '%s\\n' "$@"; }\n${code.replace('YOUR_API_KEY', key)}`;
    const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
    const [name, value] = printed.at(-1)!.split(': ') as [string, string];
    return { url: printed[5]!, headers: { [name]: value } };
  },
  cursor: (code, key) => JSON.parse(code.replace('YOUR_API_KEY', key)).mcpServers.webinars,
  vscode: (code, key) => {
    const { servers, inputs } = JSON.parse(code);
    return JSON.parse(JSON.stringify(servers.webinars).replace(`\${input:${inputs[0].id}}`, key));
  },
  other: (code, key) => JSON.parse(code.replace('YOUR_API_KEY', key)).mcpServers.webinars,
};

test('a client connects with the configuration of each client that takes a key', async () => {
  const account = await createTestAccount(service);
  const { key } = await createTestKey(service, account.accountId, { surfaces: ['mcp'] });
  const page = await browser.newPage();
  await signIn(page, service, account);
  for (const [name, read] of Object.entries(readers)) {
    await page.goto(pageUrl(account, `?client=${name}&way=key`));
    const client = await connect(read((await page.getByTestId('ai-setup').textContent())!, key));
    expect((await client.listTools()).tools, name).toHaveLength(toolCatalogue.length);
    await client.close();
  }
  await page.close();
});

test('the tools are those of the catalogue, and filters in the URL narrow them down', async () => {
  const account = await createTestAccount(service);
  const page = await browser.newPage();
  await signIn(page, service, account);
  await page.goto(pageUrl(account));
  await page.getByText(`All ${toolCatalogue.length} tools`).click();
  const table = page.getByRole('region', { name: 'Tools' });
  await table.getByText('list_webinars').waitFor();
  const names = async () =>
    (await table.getByRole('row').locator('td:first-child code').allTextContents()).toSorted();
  const all = toolCatalogue.map(({ name }) => name);
  expect(await names()).toEqual(all.toSorted());
  const publish = table.getByRole('row', { name: /publish_webinar/ });
  expect(await publish.innerText()).toContain('webinars:write');

  await page.getByRole('combobox', { name: 'Scope' }).click();
  await page.getByRole('option', { name: 'registrations:write' }).click();
  await page.getByRole('combobox', { name: 'Access' }).click();
  await page.getByRole('option', { name: 'Changes' }).click();
  await table.getByText('get_webinar', { exact: true }).waitFor({ state: 'detached' });
  await page.reload();
  await table.getByText('create_registration', { exact: true }).waitFor();
  const expected = summarizeTools(service.api.service.router, toolCatalogue).filter(
    ({ isWrite, scopes }) => isWrite && scopes.includes('registrations:write'),
  );
  expect(await names()).toEqual(expected.map(({ name }) => name).toSorted());
  await page.getByRole('textbox', { name: 'Search tools' }).fill('nothing like this');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await table.getByText('get_webinar', { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.close();
});
