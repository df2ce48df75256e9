import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { createJoinLinks } from './join-token.ts';

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
