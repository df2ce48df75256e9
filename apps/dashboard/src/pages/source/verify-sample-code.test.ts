import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifySamples } from './verify-sample-code.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"event_type":"registered","is_test":true}';
// RFC 2104, as the header is documented.
const header = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const codeOf = (label: string): string => verifySamples.find((sample) => sample.label === label)!.code;

test('the Node sample accepts the signature of the raw body, and refuses others', () => {
  const calls = [
    [body, header],
    [`${body} `, header],
    [body, header.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    [body, ''],
    [body, null],
  ];
  const driver = `
    const calls = ${JSON.stringify(calls)};
    console.log(JSON.stringify(calls.map(([b, h]) => isSigned(Buffer.from(b), h, ${JSON.stringify(secret)}))));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', codeOf('Node') + driver], {
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual([true, false, false, false, false]);
});

test('the curl sample sends the signature of its body', () => {
  // The command prints its arguments instead of sending them.
  const script = `SECRET='${secret}' URL=https://example.com/\ncurl() { printf '%s\\n' "$@"; }\n${codeOf('curl')}`;
  const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  expect(printed.split('\n')).toEqual(expect.arrayContaining([`X-Service-Signature: ${header}`, body]));
});
