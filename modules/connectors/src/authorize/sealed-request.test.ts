import { randomBytes } from 'node:crypto';
import { createSecretBox } from '@service/secrets';
import { expect, test } from 'vitest';
import { openRequest, sealRequest } from './sealed-request.ts';

test('a request is valid for ten minutes', () => {
  const secretBox = createSecretBox(randomBytes(32).toString('base64'));
  const request = {
    id: '01a1fa00-44e8-743f-b362-6e80fc279e81',
    client: { id: 'client-1', name: 'Client', host: null },
    redirectUri: 'http://127.0.0.1/callback',
    state: undefined,
    scopes: [],
    codeChallenge: 'a'.repeat(43),
  };
  const sealed = sealRequest(request, { secretBox, now: new Date('2026-11-20T10:00:00.000Z') });
  const openAt = (time: string) => openRequest(sealed, { secretBox, now: new Date(`2026-11-20T${time}Z`) });
  expect(openAt('10:09:59.999').expiresAt).toEqual(new Date('2026-11-20T10:10:00.000Z'));
  expect(() => openAt('10:10:00.000')).toThrow('expired');
});
