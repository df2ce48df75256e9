import { expect, test } from 'vitest';
import { splitLinks } from './safe-links.ts';

test('addresses become links without the punctuation around them, and the text stays whole', () => {
  const text = 'See https://example.com/a?b=c, or (http://example.org/x).';
  const parts = splitLinks(text);
  expect(parts.flatMap((part) => (part.type === 'link' ? [part.url] : []))).toEqual([
    'https://example.com/a?b=c',
    'http://example.org/x',
  ]);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});

test('no other scheme and no broken address becomes a link', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,<script>',
    'ftp://example.com',
    'JaVaScRiPt://%0aalert(1)',
    'https://[broken',
    '',
  ])
    expect(splitLinks(text).filter(({ type }) => type === 'link')).toEqual([]);
});
