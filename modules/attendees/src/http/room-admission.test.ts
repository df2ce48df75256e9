import { createHmac } from 'node:crypto';
import type { AppError } from '@service/errors';
import type { Request } from 'express';
import { expect, test } from 'vitest';
import { createJoinLinks, type FormerToken } from '../registration/join-token.ts';
import type { Room } from '../room/room.ts';
import { createAdmission } from './room-admission.ts';

const links = createJoinLinks({ key: 'secret', baseUrl: 'https://example.com' });
const accountId = '00010203-0405-0607-0809-0a0b0c0d0e0f';
const idOf = (number: number): string => `0193e3a0-0000-7000-8000-${String(number).padStart(12, '0')}`;

const present = (number: number): string =>
  links
    .urlOf({ accountId, id: idOf(number), tokenVersion: 1 })
    .split('/')
    .at(-1)!;

/** A token without a version. A wrong key makes a forged one. */
function former(number: number, key = 'secret'): string {
  const mac = createHmac('sha256', key)
    .update(`${idOf(number)}.1`)
    .digest()
    .subarray(0, 16);
  const ids = Buffer.from((accountId + idOf(number)).replaceAll('-', ''), 'hex');
  return Buffer.concat([ids, mac]).toString('base64url');
}

/** An admission for registrations with token version 1, and the tokens that it looked up. */
function admissionOf(isAway: () => boolean = () => false) {
  const lookedUp: string[] = [];
  const room: Pick<Room, 'read' | 'readClick' | 'prove'> = {
    read: (join) => links.read(join),
    readClick: (clickToken) => links.readClick(clickToken),
    async prove<Token>(claimed: FormerToken<Token>) {
      lookedUp.push(claimed.registrationId);
      if (isAway()) throw new Error('The database is away');
      return claimed.prove(1);
    },
  };
  const admission = createAdmission({ room, now: () => new Date('2026-11-22T12:00:00Z') });
  const join = (text: string, ip = '203.0.113.7'): Promise<string> =>
    admission.join(text, { ip } as Request).then(
      () => 'admitted',
      (error: AppError) => error.code ?? error.message,
    );
  return { join, lookedUp };
}

test('after a hundred invalid tokens an address is refused before any read, unless its token is valid', async () => {
  const { join, lookedUp } = admissionOf();
  expect(await join(former(1))).toBe('admitted');
  for (let count = 0; count < 50; count += 1) {
    expect(await join('forged')).toBe('join_link_expired');
    expect(await join(former(count, 'forged'))).toBe('join_link_expired');
  }
  expect(lookedUp).toHaveLength(51);
  expect([await join('forged'), await join(former(2, 'forged')), await join(former(2))]).toEqual(
    Array(3).fill('too_many_invalid_links'),
  );
  expect(lookedUp).toHaveLength(51);
  // A new link, and an old one that was proved recently.
  expect([await join(present(1)), await join(present(2)), await join(former(1))]).toEqual(
    Array(3).fill('admitted'),
  );
  expect(await join(former(2), '203.0.113.8')).toBe('admitted');
});

test('valid tokens are not counted, and neither are tokens whose look-up failed', async () => {
  const holders = admissionOf();
  for (let count = 0; count < 150; count += 1) expect(await holders.join(former(count))).toBe('admitted');
  let isAway = true;
  const { join } = admissionOf(() => isAway);
  for (let count = 0; count < 150; count += 1) expect(await join(former(count))).toBe('The database is away');
  isAway = false;
  expect(await join(former(1))).toBe('admitted');
});
