import { expect, test } from 'vitest';
import { changeWords, titleToSlug } from './slug.ts';

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

test.each([
  ['launch-k3f9x2', 'relaunch', 'relaunch-k3f9x2'],
  // A client sends the slug that it has read.
  ['launch-k3f9x2', 'relaunch-k3f9x2', 'relaunch-k3f9x2'],
  ['launch-k3f9x2', 'launch-a2b3c4', 'launch-a2b3c4-k3f9x2'],
])('%j with the words %j becomes %j', (slug, words, changed) => {
  expect(changeWords(slug, words)).toBe(changed);
});
