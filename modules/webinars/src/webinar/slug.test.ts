import { expect, test } from 'vitest';
import { titleToSlug } from './slug.ts';

test.each([
  ['Launch', 'launch'],
  ['  Crème brûlée & Größe: 2026!', 'creme-brulee-gro-e-2026'],
  ['日本語', 'webinar'],
  ['--', 'webinar'],
  [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
])('%j becomes %s', (title, slug) => {
  expect(titleToSlug(title, 'webinar')).toBe(slug);
});
