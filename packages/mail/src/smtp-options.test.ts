import { expect, test } from 'vitest';
import { smtpOptions } from './smtp-options.ts';

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
