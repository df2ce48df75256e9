import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { claimedRegistrationId, createJoinLinks } from './join-token.ts';

const links = createJoinLinks({ key: 'secret', baseUrl: 'https://example.com' });
const registration = { accountId: createId(), id: createId(), tokenVersion: 1 };
const tokenOf = (url: string): string => url.slice('https://example.com/room/'.length);
const token = tokenOf(links.urlOf(registration));

test('a token is the two ids and 16 bytes of HMAC, in base64url', () => {
  const known = {
    accountId: '00010203-0405-0607-0809-0a0b0c0d0e0f',
    id: '0193e3a0-0000-7000-8000-000000000000',
    tokenVersion: 1,
  };
  // printf '0193e3a0-0000-7000-8000-000000000000.1' | openssl dgst -sha256 -hmac secret
  const mac = '4f69880d39d47df1f41c5dcc21f79d9a';
  const bytes = Buffer.from(`000102030405060708090a0b0c0d0e0f0193e3a0000070008000000000000000${mac}`, 'hex');
  expect(links.urlOf(known)).toBe(`https://example.com/room/${bytes.toString('base64url')}`);
});

test('a token names its registration and is proved by it alone', () => {
  const read = links.read(token)!;
  expect(read).toMatchObject({ accountId: registration.accountId, registrationId: registration.id });
  expect(read.verify(registration)).toBe(true);
  expect(read.verify({ ...registration, id: createId() })).toBe(false);
  expect(read.verify({ ...registration, accountId: createId() })).toBe(false);
});

test('a rotated token is worth nothing, and the next version is another', () => {
  const rotated = { ...registration, tokenVersion: 2 };
  expect(links.read(token)!.verify(rotated)).toBe(false);
  expect(links.read(tokenOf(links.urlOf(rotated)))!.verify(rotated)).toBe(true);
});

test('a changed bit anywhere makes it another token or none', () => {
  for (let byte = 0; byte < 48; byte += 1) {
    const bytes = Buffer.from(token, 'base64url');
    bytes[byte]! ^= 1;
    expect(links.read(bytes.toString('base64url'))!.verify(registration), `byte ${byte}`).toBe(false);
  }
});

test('a token of a former key still opens, one of a foreign key does not', () => {
  const [renewed, foreign] = [['secret'], []].map((formerKeys) =>
    createJoinLinks({ key: 'new', formerKeys, baseUrl: 'https://example.com' }),
  );
  expect(renewed!.read(token)!.verify(registration)).toBe(true);
  expect(foreign!.read(token)!.verify(registration)).toBe(false);
});

test('a text that cannot be a token is none', () => {
  for (const text of ['', 'x', token.slice(1), `${token}A`, `${token.slice(1)}=`, `${token.slice(1)}\n`]) {
    expect(links.read(text), text).toBeNull();
  }
});

const interactionId = createId();
const clickTokenOf = (url: string): string => url.slice('https://example.com/r/'.length);
const clickToken = clickTokenOf(links.clickUrlOf(registration, interactionId));

test('a click token is the three ids and 16 bytes of HMAC over what no join token is made of', () => {
  const known = {
    accountId: '00010203-0405-0607-0809-0a0b0c0d0e0f',
    id: '0193e3a0-0000-7000-8000-000000000000',
    tokenVersion: 1,
  };
  const offer = '0193e3a0-1111-7000-8000-000000000000';
  // printf 'click.0193e3a0-0000-7000-8000-000000000000.1.0193e3a0-1111-7000-8000-000000000000' | openssl dgst -sha256 -hmac secret
  const mac = '6723305eb50e083e046847bc5da1643d';
  const ids =
    '000102030405060708090a0b0c0d0e0f0193e3a00000700080000000000000000193e3a0111170008000000000000000';
  const bytes = Buffer.from(ids + mac, 'hex');
  expect(links.clickUrlOf(known, offer)).toBe(`https://example.com/r/${bytes.toString('base64url')}`);
});

test('a click token names its registration and interaction, and is void once the join token is rotated', () => {
  const read = links.readClick(clickToken)!;
  const { accountId, id: registrationId } = registration;
  expect(read).toMatchObject({ accountId, registrationId, interactionId });
  expect(read.verify(registration)).toBe(true);
  expect(read.verify({ ...registration, tokenVersion: 2 })).toBe(false);
  expect(read.verify({ ...registration, id: createId() })).toBe(false);
  expect(read.verify({ ...registration, accountId: createId() })).toBe(false);
});

test('a changed bit anywhere makes it another click token or none', () => {
  for (let byte = 0; byte < 64; byte += 1) {
    const bytes = Buffer.from(clickToken, 'base64url');
    bytes[byte]! ^= 1;
    const changed = links.readClick(bytes.toString('base64url'))!;
    expect(changed.verify(registration), `byte ${byte}`).toBe(false);
  }
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('');
  const open = letters.filter((letter) => links.readClick(clickToken.slice(0, -1) + letter));
  expect(open).toEqual(['A', 'Q', 'g', 'w']);
});

test('neither kind of token is read as the other, and only of a former key do click tokens still open', () => {
  expect([links.read(clickToken), links.readClick(token)]).toEqual([null, null]);
  const [renewed, foreign] = [['secret'], []].map((formerKeys) =>
    createJoinLinks({ key: 'new', formerKeys, baseUrl: 'https://example.com' }),
  );
  expect(renewed!.readClick(clickToken)!.verify(registration)).toBe(true);
  expect(foreign!.readClick(clickToken)!.verify(registration)).toBe(false);
});

test('whose a token claims to be can be read without a key', () => {
  expect([token, clickToken].map(claimedRegistrationId)).toEqual([registration.id, registration.id]);
  expect(['', 'x', clickToken.slice(1)].map(claimedRegistrationId)).toEqual([null, null, null]);
});
