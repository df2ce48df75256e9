// The command of the MCP inspector.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createWorld } from '../support/world.ts';
import { judgeProgram } from './judge-program.ts';

test('the inspector lists the tools and calls one', async () => {
  await using world = await createWorld();
  /** Its JSON output. */
  const inspect = async (...args: string[]) => {
    const header = `Authorization: Bearer ${world.key}`;
    const connection = [`${world.service.baseUrl}/mcp`, '--transport', 'http', '--header', header];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [judgeProgram('.bin/mcp-inspector'), '--cli', ...connection, ...args],
      { timeout: 50_000, maxBuffer: 10_000_000 },
    );
    return JSON.parse(stdout);
  };
  const { tools } = await inspect('--method', 'tools/list');
  expect(tools.map(({ name }: { name: string }) => name)).toContain('get_webinar_report');
  const call = ['--method', 'tools/call', '--tool-name', 'get_webinar'];
  const { structuredContent } = await inspect(...call, '--tool-arg', `webinarId=${world.webinar.id}`);
  expect(structuredContent.data.title).toBe('Launch');
});
