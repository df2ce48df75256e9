import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { keysIn, payloadsOf, sessionKey } from './feed.ts';

test('any number of session keys fits into valid payloads and is read back', () => {
  for (const count of [1, 100, 101, 1000]) {
    const keys = Array.from({ length: count }, () => sessionKey(createId(), createId()));
    const payloads = payloadsOf(keys);
    expect(payloads).toHaveLength(Math.ceil(count / 100));
    expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8000);
    expect(payloads.flatMap(keysIn)).toEqual(keys);
  }
});
