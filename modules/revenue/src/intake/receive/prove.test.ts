import { createSecretKey, randomUUID } from 'node:crypto';
import { signBody } from '@service/signing';
import { expect, test } from 'vitest';
import { generic } from '../providers/generic/generic.ts';
import type { SourceKeys } from '../source/open-source-keys.ts';
import { createProver } from './prove.ts';

const secretOf = (accountId: string): string => `secret of ${accountId}`;

/** A prover whose sources all exist and are never remembered. It counts their reads. */
function proverOf() {
  let reads = 0;
  const keysOf = (secret: string, secretId: string | undefined) => ({
    key: createSecretKey(secret, 'utf8'),
    secretId,
  });
  const keys = (secret: string): SourceKeys => ({
    exists: true,
    keys: [keysOf(secret, secret), keysOf('none', undefined)],
  });
  const prover = createProver(
    {
      remembered: () => keys('not read yet'),
      underWay: () => undefined,
      async read({ accountId }) {
        reads += 1;
        return keys(secretOf(accountId));
      },
    },
    { refused: () => undefined },
  );
  const body = Buffer.from('{}');
  const send = (accountId: string, secret: string): Promise<string> =>
    prover.prove({
      accountId,
      provider: generic,
      headers: { 'x-service-signature': signBody(secret, body) },
      body,
      sender: '203.0.113.1',
    });
  return {
    send,
    forge: async (accountIds: readonly string[]): Promise<number> => {
      const before = reads;
      await Promise.allSettled(accountIds.map((accountId) => send(accountId, 'guess')));
      return reads - before;
    },
  };
}

const times = (count: number, make: () => string): string[] => Array.from({ length: count }, make);

test('a forger who has used up the reads of an address leaves one to each source that was not read yet', async () => {
  const { send, forge } = proverOf();
  const [flooded, other] = [randomUUID(), randomUUID()];
  expect(await forge(times(500, () => flooded))).toBeLessThan(150);
  expect(await send(other, secretOf(other))).toBe(secretOf(other));
});

test('made-up accounts of a forger cause a limited number of reads', async () => {
  const { forge } = proverOf();
  // 100 of the address, 100 of the process, and those that are added while the test runs.
  expect(await forge(times(2000, () => randomUUID()))).toBeLessThan(1000);
});
