import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, readConfig } from '@service/config';
import { expect, test } from 'vitest';

/** Variables in comments count too: their defaults, which npm start does not share. */
const example = Object.fromEntries(
  readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8')
    .split('\n')
    .map((line) => /^#?([A-Z_]+)=(.*)$/.exec(line))
    .flatMap((match) => (match ? [[match[1]!, match[2]!]] : [])),
);

const required = {
  DATABASE_URL: 'postgres://app@localhost/app',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
};

test('.env.example names every variable that is read, and no other', () => {
  expect(Object.keys(example).toSorted()).toEqual(Object.keys(environment.shape).toSorted());
});

test('the values in .env.example are the defaults', () => {
  expect(readConfig(environment, { ...example, ...required })).toEqual(readConfig(environment, required));
});
