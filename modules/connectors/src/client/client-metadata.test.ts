import { expect, test } from 'vitest';
import { readClientMetadata } from './client-metadata.ts';

test('a name has no invisible characters, so that names which look the same are the same', () => {
  const nameOf = (client_name: string) =>
    readClientMetadata({ client_name, redirect_uris: ['https://example.com/callback'] }).name;
  const invisible =
    '\u200b\u200d\u00ad\u034f\u115f\u180e\u2060\u2800\u3164\ufe0f\ufeff\uffa0\u{e0041}\u{e0101}';
  for (const character of invisible) expect(nameOf(`Clau${character}de`)).toBe('Claude');
  expect(nameOf(` ${invisible} `)).toBeUndefined();
  expect(nameOf('Zoë\u00a0日本語 👍')).toBe('Zoë 日本語 👍');
});
