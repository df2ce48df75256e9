import { expect, test } from 'vitest';
import { createLog } from './index.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void, isReadable = false): string {
  const lines: string[] = [];
  write(createLog('test', { isReadable, destination: { write: (line) => void lines.push(line) } }));
  return lines.join('');
}

const key = `svc_live_${'a1B2'.repeat(8)}`;
/** An access token, a refresh token and a code. The latter two are base64url. */
const ofGrants = [`svc_at_${'a1B2'.repeat(8)}`, `svc_rt_${'a-_2'.repeat(8)}`, `svc_code_${'a-_2'.repeat(8)}`];
const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

test.for([
  ['JSON', false],
  ['readable', true],
] as const)(
  'a credential never appears in a %s line, neither as a field nor inside a text',
  ([, isReadable]) => {
    const output = logged((log) => {
      log.info({ headers: { authorization: `Bearer ${key}`, cookie: 'session=1234abcd' } }, 'request');
      log.warn({ password: 'hunter2', user: { token: 'tok-5678' } }, `refused ${key}`);
      for (const credential of ofGrants) log.warn({ text: `refused ${credential}` });
      log.error({ err: new Error(`bad secret ${secret} for postgres://app:pa55@host/db`) });
    }, isReadable);
    for (const leaked of [key, secret, ...ofGrants, 'hunter2', 'tok-5678', '1234abcd', 'pa55'])
      expect(output).not.toContain(leaked);
    expect(output).toContain('postgres://app:***@host');
  },
);

test('other fields are logged', () => {
  expect(JSON.parse(logged((log) => log.info({ requestId: 'r1' }, 'hello')))).toMatchObject({
    level: 'info',
    process: 'test',
    requestId: 'r1',
    msg: 'hello',
  });
});

test('a line for people has the time, the process, the message its fields with escaped control characters, and the stack of an error', () => {
  const error = new Error('no route');
  const output = logged((log) => {
    log.info({ requestId: 'r1', counts: [1, 2] }, 'hello');
    log.warn({ err: error }, 'Sending failed');
    log.info({ name: 'a\nb\u001B[2J' }, 'A text of a stranger');
  }, true);
  const lines = output.split('\n');
  const [first, second, ...stack] = lines.toSpliced(-2);
  expect(lines.at(-2)).toMatch(/A text of a stranger name=a\\u000ab\\u001b\[2J$/);
  expect(first).toMatch(/^\d\d:\d\d:\d\d test: hello requestId=r1 counts=\[1,2\]$/);
  expect(second).toMatch(/^\d\d:\d\d:\d\d test warn: Sending failed$/);
  expect(stack.join('\n')).toBe(error.stack);
});
