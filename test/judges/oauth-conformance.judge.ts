// The scenarios of the official conformance suite for authorization servers. The suite prints the address that a person opens, and
// waits for the browser to come back.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestAccount, testApi } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { freePort } from '../support/free-port.ts';
import { consentAt, registerClient } from '../connectors/oauth-client.ts';
import { judgeProgram } from './judge-program.ts';

const suite = judgeProgram('@modelcontextprotocol/conformance/dist/index.js');

test('the scenarios for authorization servers pass', async () => {
  await using service = await testApi();
  const dashboard = await openDashboard(service, await createTestAccount(service));
  const port = await freePort();
  const clientId = await registerClient(service, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  onTestFinished(() => rm(folder, { recursive: true }));

  const given = {
    '--url': `${service.baseUrl}/oauth`,
    '--client-id': clientId,
    '--resource': `${service.baseUrl}/mcp/connect`,
    '--port': String(port),
  };
  const run = spawn(process.execPath, [suite, 'authorization', ...Object.entries(given).flat()], {
    cwd: folder,
  });
  let output = '';
  let opened = false;
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>();
  const read = (chunk: Buffer): void => {
    output += chunk.toString();
    const address = /^http\S+\/oauth\/authorize\?\S+$/m.exec(output)?.[0];
    if (address === undefined || opened) return;
    opened = true;
    consent(address).catch(reject);
  };
  run.stdout.on('data', read);
  run.stderr.on('data', read);
  run.on('close', resolve);

  const consent = async (address: string) => fetch(await consentAt(address, dashboard, ['webinars:read']));

  const code = await ended.finally(() => run.kill());
  expect(code, output).toBe(0);
  // The metadata, its support of metadata documents, and the whole grant.
  expect(output).toContain('Total: 3 passed, 0 failed');
});
