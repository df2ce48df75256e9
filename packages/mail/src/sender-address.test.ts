import { expect, test } from 'vitest';
import { isAddress, oneLine, parseSender } from './sender-address.ts';

test('only one plain address is an address', () => {
  for (const good of ['ada@example.com', "o'neill+hooks@mail.example.co.uk", 'root@localhost'])
    expect(isAddress(good), good).toBe(true);
  for (const bad of [
    '',
    'ada',
    'ada@',
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com\n',
    'ada@exam\u0000ple.com',
    'Ada <ada@example.com>',
    '"ada eve"@example.com',
    `${'a'.repeat(250)}@example.com`,
  ])
    expect(isAddress(bad), bad).toBe(false);
});

test('a sender is one address with or without a name, also with a comma in the name', () => {
  expect(parseSender('hooks@example.com')).toEqual({ name: '', address: 'hooks@example.com' });
  expect(parseSender('Acme, Webinars <hooks@example.com>')).toEqual({
    name: 'Acme, Webinars',
    address: 'hooks@example.com',
  });
  expect(parseSender('"Acme" <hooks@example.com>').name).toBe('Acme');
  for (const bad of [
    'Acme',
    'Acme <>',
    'a@example.com, b@example.com',
    'Acme <a@example.com> <b@example.com>',
  ])
    expect(() => parseSender(bad), bad).toThrow('not an e-mail address');
});

test('every kind of line end becomes a space', () => {
  expect(oneLine(' Paused\r\nBcc: eve@example.com\u2028\u0000now ')).toBe('Paused Bcc: eve@example.com now');
});
