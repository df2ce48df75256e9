import { expect, test } from 'vitest';
import { keepHeaders } from './keep-headers.ts';

test('headers are kept with their values, and a repeated one as a list', () => {
  const kept = keepHeaders({ 'content-type': 'text/plain', server: 'nginx', 'x-a': ['1', '2'] as never });
  expect(JSON.parse(kept)).toEqual({ 'content-type': 'text/plain', server: 'nginx', 'x-a': '1, 2' });
});

test('the value of a cookie is not kept', () => {
  const kept = keepHeaders({ 'set-cookie': ['session=secret; HttpOnly'] });
  expect(JSON.parse(kept)).toEqual({ 'set-cookie': '(not kept)' });
});

test('headers that are too long together are left out from there on', () => {
  const kept = keepHeaders({ first: 'a', long: 'x'.repeat(2000), last: 'b' });
  expect(JSON.parse(kept)).toEqual({ first: 'a' });
});
