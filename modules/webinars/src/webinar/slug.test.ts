import { expect, test } from 'vitest';
import { titleToSlug } from './slug.ts';

test.each([
  ['Launch', 'launch'],
  ['  Crème brûlée & Größe: 2026!', 'creme-brulee-and-groesse-2026'],
  ['Don’t miss the iPhone Q&A', 'dont-miss-the-iphone-q-and-a'],
  ['Привет', 'privet'],
  ['日本語', 'webinar'],
  ['--', 'webinar'],
  [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
])('%j becomes %s', (title, slug) => {
  expect(titleToSlug(title, 'webinar')).toBe(slug);
});
