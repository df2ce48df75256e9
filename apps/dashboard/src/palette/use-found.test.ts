import { expect, test } from 'vitest';
import { isRequestId, isSecret, isUuid } from './use-found.ts';

/** The lengths of tokens in modules/attendees/src/registration/join-token.ts. */
const [formerToken, joinToken, clickToken] = [48, 52, 68].map((length) =>
  Buffer.alloc(length, 7).toString('base64url'),
);

test.each([
  `svc_live_${'aB3'.repeat(10)}zz`,
  `svc_at_${'aB3'.repeat(10)}zz`,
  `whsec_${'a+/'.repeat(14)}b=`,
  `whsec_${'aB3'.repeat(10)}`,
  `https://webinars.example.com/room/${joinToken}`,
  `webinars.example.com/r/${clickToken}`,
  formerToken!,
  joinToken!,
  clickToken!,
])('the search does not send the secret %s', (secret) => {
  expect([isSecret(secret), isRequestId(secret)]).toEqual([true, false]);
});

test.each(['Launch', 'grace@navy.example', 'svc_live_ab', 'spring_collection', 'ask/answer', 'r', 'a b_c'])(
  'the search sends the text %s',
  (text) => {
    expect(isSecret(text)).toBe(false);
  },
);

test('the id of a record and of a request are sent', () => {
  for (const id of ['019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02', '7f3c9a1e5b', '9c'.repeat(32)])
    expect([isSecret(id), isRequestId(id)]).toEqual([false, true]);
  expect([isUuid('019AA1C9-7ac2-7b1f-8e60-5a1f3a7a5d02'), isUuid('7f3c9a1e5b')]).toEqual([true, false]);
});
