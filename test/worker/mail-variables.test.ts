import { environment, readConfig } from '@service/config';
import { expect, test } from 'vitest';

const schema = environment.pick({ SMTP_URL: true, MAIL_FROM: true });

test('a mail server is an smtp or smtps URL without a path, and any password in it can be hidden', () => {
  const read = (SMTP_URL: string) => readConfig(schema, { SMTP_URL }).SMTP_URL;
  expect(read('smtp://mail.example.com')).toBe('smtp://mail.example.com');
  expect(read('smtps://a:p@ss@mail.example.com:465')).toBe('smtps://a:p%40ss@mail.example.com:465');
  for (const bad of [
    'mail.example.com',
    'http://mail.example.com',
    'smtp://',
    'smtp://a:pa/ss@mail.example.com',
    'smtp://a:100%@mail.example.com',
    'smtp://mail.example.com?ignoreTLS=true',
    'smtp://mail.example.com/path',
  ])
    expect(() => read(bad), bad).toThrow(/^Bad configuration:\n {2}SMTP_URL: an smtp:/);
});

test('a sender is an address, or a name and an address', () => {
  const read = (MAIL_FROM: string) => readConfig(schema, { MAIL_FROM }).MAIL_FROM;
  for (const good of ['hooks@example.com', 'Acme, Webinars <hooks@example.com>'])
    expect(read(good)).toBe(good);
  for (const bad of ['Acme', 'Acme <hooks>', 'a@example.com, b@example.com', 'Acme\n<hooks@example.com>'])
    expect(() => read(bad), bad).toThrow(/MAIL_FROM: an e-mail address/);
});
