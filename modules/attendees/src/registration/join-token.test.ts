import { createHmac } from 'node:crypto';
import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { createJoinLinks, type ReadToken } from './join-token.ts';

const baseUrl = 'https://example.com';
const links = createJoinLinks({ key: 'secret', baseUrl });
const registration = { accountId: createId(), id: createId(), tokenVersion: 1 };
const interactionId = createId();
const claims = { accountId: registration.accountId, registrationId: registration.id };

const textOf = (url: string): string => url.split('/').at(-1)!;
const join = textOf(links.urlOf(registration));
const click = textOf(links.clickUrlOf(registration, interactionId));

const hex = (...ids: string[]): string => ids.join('').replaceAll('-', '');

/** A token of the former form, without a version. */
function formerToken(ids: string[], message: string, key = 'secret'): string {
  const mac = createHmac('sha256', key).update(message).digest('hex').slice(0, 32);
  return Buffer.from(hex(...ids) + mac, 'hex').toString('base64url');
}
const { accountId, id } = registration;
const formerJoin = formerToken([accountId, id], `${id}.1`);
const formerClick = formerToken([accountId, id, interactionId], `click.${id}.1.${interactionId}`);

/** Proves a token. One of the former form is proved with this version. */
const tokenOf = <Token>(read: ReadToken<Token> | null, tokenVersion = 1): Token | null => {
  if (!read) return null;
  return read.isProved ? read.token : read.prove(tokenVersion);
};

const known = {
  accountId: '00010203-0405-0607-0809-0a0b0c0d0e0f',
  id: '0193e3a0-0000-7000-8000-000000000000',
  tokenVersion: 7,
};
const knownHead = `${hex(known.accountId, known.id)}00000007`;

test('a token is the two ids, the version and 16 bytes of HMAC over them, in base64url', () => {
  // (printf 'join-2'; printf 000102030405060708090a0b0c0d0e0f0193e3a000007000800000000000000000000007 | xxd -r -p) | openssl dgst -sha256 -hmac secret
  const mac = '03183a01986104e1eaaf3f6572380911';
  const text = Buffer.from(knownHead + mac, 'hex').toString('base64url');
  expect(links.urlOf(known)).toBe(`${baseUrl}/room/${text}`);
});

test('a click token has the interaction id after the version, and its HMAC covers it', () => {
  const offer = '0193e3a0-1111-7000-8000-000000000000';
  // (printf 'click-2'; printf 000102030405060708090a0b0c0d0e0f0193e3a0000070008000000000000000000000070193e3a0111170008000000000000000 | xxd -r -p) | openssl dgst -sha256 -hmac secret
  const mac = '783b2bb2ef66d0d837a8fc54c508f058';
  const text = Buffer.from(knownHead + hex(offer) + mac, 'hex').toString('base64url');
  expect(links.clickUrlOf(known, offer)).toBe(`${baseUrl}/r/${text}`);
});

test('a token is proved in memory, with its registration and version', () => {
  expect(links.read(join)).toEqual({ isProved: true, token: { ...claims, tokenVersion: 1 } });
  const rotated = textOf(links.urlOf({ ...registration, tokenVersion: 70_000 }));
  expect(tokenOf(links.read(rotated))).toEqual({ ...claims, tokenVersion: 70_000 });
  expect(links.readClick(click)).toEqual({
    isProved: true,
    token: { ...claims, tokenVersion: 1, interactionId },
  });
});

test('a token with any changed bit is refused', () => {
  for (const [text, read] of [
    [join, links.read],
    [click, links.readClick],
  ] as const) {
    for (let bit = 0; bit < Buffer.from(text, 'base64url').length * 8; bit += 1) {
      const bytes = Buffer.from(text, 'base64url');
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect(read(bytes.toString('base64url')), `bit ${bit}`).toBeNull();
    }
  }
});

test('a token has one spelling', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('');
  for (const [text, read] of [
    [join, links.read],
    [click, links.readClick],
    [formerJoin, links.read],
    [formerClick, links.readClick],
  ] as const) {
    const open = letters.filter((letter) => tokenOf<unknown>(read(text.slice(0, -1) + letter)) !== null);
    expect(open).toEqual([text.at(-1)]);
    const others = [
      `${text}=`,
      `${text}==`,
      ` ${text}`,
      `${text}\n`,
      `${text}A`,
      text.slice(1),
      text.slice(0, -1),
    ];
    for (const other of others) expect(read(other), JSON.stringify(other)).toBeNull();
    const plain = Buffer.from(text, 'base64url').toString('base64');
    if (plain !== text) expect(read(plain)).toBeNull();
  }
});

test('a text of another form is not a token', () => {
  for (const text of ['', 'x', 'A'.repeat(70), 'A'.repeat(10_000_000)])
    expect([links.read(text), links.readClick(text)]).toEqual([null, null]);
});

test('a token of the former form is proved only with the version of its registration', () => {
  expect(links.read(formerJoin)).toMatchObject({ isProved: false, ...claims });
  expect(tokenOf(links.read(formerJoin), 1)).toEqual({ ...claims, tokenVersion: 1 });
  expect(tokenOf(links.read(formerJoin), 2)).toBeNull();
  expect(tokenOf(links.readClick(formerClick), 1)).toEqual({ ...claims, tokenVersion: 1, interactionId });
  expect(tokenOf(links.readClick(formerClick), 2)).toBeNull();
  for (let byte = 16; byte < 48; byte += 1) {
    const bytes = Buffer.from(formerJoin, 'base64url');
    bytes[byte]! ^= 1;
    expect(tokenOf(links.read(bytes.toString('base64url'))), `byte ${byte}`).toBeNull();
  }
});

test('a token of one kind is not accepted as another', () => {
  expect([join, formerJoin].map(links.readClick)).toEqual([null, null]);
  expect([click, formerClick].map(links.read)).toEqual([null, null]);
  // The HMAC of the former form does not cover the account, so it must not be accepted in the present form.
  const bytes = Buffer.from(formerJoin, 'base64url');
  const spliced = Buffer.concat([bytes.subarray(0, 32), Buffer.from('00000001', 'hex'), bytes.subarray(32)]);
  expect(links.read(spliced.toString('base64url'))).toBeNull();
});

test('tokens of a former key stay valid, tokens of a foreign key are refused', () => {
  const [renewed, foreign] = [['secret'], []].map((formerKeys) =>
    createJoinLinks({ key: 'new', formerKeys, baseUrl }),
  );
  const open = (of: typeof links) => [
    tokenOf(of.read(join)) !== null,
    tokenOf(of.readClick(click)) !== null,
    tokenOf(of.read(formerJoin)) !== null,
    tokenOf(of.readClick(formerClick)) !== null,
  ];
  expect(open(renewed!)).toEqual([true, true, true, true]);
  expect(open(foreign!)).toEqual([false, false, false, false]);
});
