import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

/** A process whose start blocks its thread for a second. */
const script = `
  import { runProcess } from ${JSON.stringify(new URL('run-process.ts', import.meta.url).href)};
  import { z } from 'zod';
  await runProcess({
    name: 'blocked',
    schema: z.object({}),
    variables: {},
    async start() {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      return { close: async () => undefined };
    },
  });
`;

test('a signal right after the log says Starting stops the process in order', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text;
    if (output.includes('"Starting"')) break;
  }
  child.kill('SIGTERM');
  const [code, signal] = await once(child, 'exit');
  expect([code, signal]).toEqual([0, null]);
});
