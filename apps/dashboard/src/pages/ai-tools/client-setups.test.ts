import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { connectorSetupOf, keySetupOf } from './client-setups.ts';

const access = { url: 'https://webinars.example.com/mcp', key: 'svc_live_abc' };
const headers = { Authorization: 'Bearer svc_live_abc' };

test('the command of Claude Code passes the address and the header as one argument each', () => {
  const { code } = keySetupOf['claude-code']({ ...access, url: "https://example.com/o'neil/mcp" });
  // The shell prints the arguments instead of running the command.
  const script = `claude() { printf '%s\\n' "$@"; }\n${code}`;
  const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
  expect(printed).toEqual([
    'mcp',
    'add',
    '--transport',
    'http',
    'webinars',
    "https://example.com/o'neil/mcp",
    '--header',
    'Authorization: Bearer svc_live_abc',
  ]);
});

test('the link of Cursor has the same server as its file, in base64, also for a host with other letters', () => {
  const url = 'https://webinare.müller.example/mcp';
  const { code, link } = keySetupOf.cursor({ ...access, url });
  const { searchParams, protocol } = new URL(link!.href);
  expect([protocol, searchParams.get('name')]).toEqual(['cursor:', 'webinars']);
  const server = JSON.parse(Buffer.from(searchParams.get('config')!, 'base64').toString());
  expect(server).toEqual({ url, headers });
  expect(JSON.parse(code)).toEqual({ mcpServers: { webinars: server } });
});

test('VS Code asks for the key, so that neither its file nor its link has it', () => {
  const { code, link } = keySetupOf.vscode(access);
  const { servers, inputs } = JSON.parse(code);
  expect(JSON.stringify({ servers, inputs, link })).not.toContain(access.key);
  expect(servers.webinars.headers.Authorization).toBe(`Bearer \${input:${inputs[0].id}}`);
  expect(inputs[0]).toMatchObject({ type: 'promptString', password: true });
  // As VS Code reads it: the whole query is JSON.
  expect(link!.href.startsWith('vscode:mcp/install?')).toBe(true);
  const linked = JSON.parse(decodeURIComponent(link!.href.split('?')[1]!));
  expect(linked).toEqual({ name: 'webinars', ...servers.webinars, inputs });
});

test('another client gets the address and the header as JSON', () => {
  const { code, link } = keySetupOf.other(access);
  expect(JSON.parse(code)).toEqual({ mcpServers: { webinars: { type: 'http', url: access.url, headers } } });
  expect(link).toBeUndefined();
});

test('no configuration of a connector has a key or a header, and each has the address', () => {
  const url = 'https://webinars.example.com/mcp/connect';
  for (const [client, setup] of Object.entries(connectorSetupOf)) {
    const { code, link } = setup(url);
    expect(code, client).toContain(url);
    expect(`${code} ${link?.href}`, client).not.toMatch(/Authorization|API key/);
  }
  const { link } = connectorSetupOf.cursor(url);
  const config = new URL(link!.href).searchParams.get('config')!;
  expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual({ url });
});
