import { hash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecret, hashSecret } from './credential.ts';
import { judge, repeatMs, type Presented } from './judge.ts';

const now = new Date('2026-11-23T12:00:00Z');
const ago = (ms: number): Date => new Date(now.getTime() - ms);
const secret = createSecret();
const codeVerifier = randomBytes(32).toString('base64url');

const grant = {
  secretHash: hashSecret(secret),
  clientId: 'client',
  redirectUri: 'https://example.com/',
  codeChallenge: hash('sha256', codeVerifier, 'base64url'),
  generation: 5,
  refreshedAt: ago(1000),
  expiresAt: ago(-1000),
  endedAt: null,
};

const refresh = (generation: number): Presented => ({
  kind: 'refresh_token',
  credential: { generation, secret },
  clientId: 'client',
});

const code: Presented = {
  kind: 'code',
  credential: { generation: 0, secret },
  clientId: 'client',
  redirectUri: grant.redirectUri,
  codeVerifier,
};

test.each<[string, number, Date, string]>([
  ['the newest one', 5, ago(1000), 'rotate'],
  ['the former one within half a minute', 4, ago(repeatMs - 1), 'repeat'],
  ['the former one after half a minute', 4, ago(repeatMs), 'end'],
  ['an older one', 3, ago(1), 'end'],
])('a refresh token is judged by its number: %s', (_title, generation, refreshedAt, expected) => {
  expect(judge({ ...grant, refreshedAt }, refresh(generation), now).kind).toBe(expected);
});

test.each<[string, Partial<typeof grant> & { endedAt?: Date }, Partial<Presented>]>([
  ['another secret', { secretHash: hashSecret(createSecret()) }, {}],
  ['another client', {}, { clientId: 'other' }],
  ['an expired grant', { expiresAt: now }, {}],
])('a code and a refresh token are refused without any change: %s', (_title, row, given) => {
  expect(judge({ ...grant, ...row }, { ...refresh(5), ...given }, now).kind).toBe('refuse');
  expect(judge({ ...grant, ...row, generation: 0 }, { ...code, ...given }, now).kind).toBe('refuse');
});

test('a credential of a deleted or ended grant is refused', () => {
  expect(judge(undefined, refresh(5), now).kind).toBe('refuse');
  expect(judge({ ...grant, endedAt: ago(1) }, refresh(3), now).kind).toBe('refuse');
});

test('a code is exchanged once, and a second use ends the grant also after the code has expired', () => {
  expect(judge({ ...grant, generation: 0 }, code, now).kind).toBe('rotate');
  expect(judge({ ...grant, generation: 1, expiresAt: ago(1) }, code, now)).toEqual({
    kind: 'end',
    reason: 'code_reused',
  });
});

test.each(['', 'short', codeVerifier.slice(1), `${codeVerifier}=`, 'a'.repeat(129)])(
  'the verifier %j is refused',
  (wrong) => {
    expect(judge({ ...grant, generation: 0 }, { ...code, codeVerifier: wrong }, now).kind).toBe('refuse');
  },
);
