import { expect, test } from 'vitest';
import { isAddress, oneLine, parseSender, smtpOptions } from './mailer.ts';

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

test('host, port, TLS and credentials are read, and encoded characters of a password decoded', () => {
  expect(smtpOptions('smtps://hooks%40example.com:p%40ss%2F1@mail.example.com')).toEqual({
    host: 'mail.example.com',
    port: undefined,
    secure: true,
    requireTLS: false,
    auth: { user: 'hooks@example.com', pass: 'p@ss/1' },
  });
  expect(smtpOptions('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525, auth: undefined });
});

test('a password is sent only with TLS, except to this machine', () => {
  const requires = (url: string): boolean => smtpOptions(url).requireTLS;
  expect(requires('smtp://a:b@mail.example.com:587')).toBe(true);
  expect(requires('smtp://a:b@127.0.0.1:2525')).toBe(false);
  expect(requires('smtp://a:b@localhost')).toBe(false);
  expect(requires('smtp://mail.example.com')).toBe(false);
});

test('a query has no effect', () => {
  expect(smtpOptions('smtp://a:b@mail.example.com?ignoreTLS=true&tls.rejectUnauthorized=false')).toEqual(
    smtpOptions('smtp://a:b@mail.example.com'),
  );
});
