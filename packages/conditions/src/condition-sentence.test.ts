import { expect, test } from 'vitest';
import { fillTemplate, sentenceText } from './condition-sentence.ts';

const fill = (template: string, values: Record<string, string> = {}) =>
  sentenceText(
    fillTemplate(
      template,
      Object.fromEntries(Object.entries(values).map(([name, text]) => [name, { text }])),
    ),
  );

test.each([
  ['reaches {percent} %', { percent: '50' }, 'reaches 50 %'],
  ['reaches {percent} %', {}, 'reaches … %'],
  ['answers {poll|any poll}', {}, 'answers any poll'],
  ['answers {poll|any poll}', { poll: 'Timing' }, 'answers Timing'],
  ['answers[ {option} in] {poll|a poll}', { option: 'Now', poll: 'Timing' }, 'answers Now in Timing'],
  ['answers[ {option} in] {poll|a poll}', { poll: 'Timing' }, 'answers Timing'],
  ['sends[ {match} {word}]', { match: 'contains' }, 'sends'],
])('%s with %j reads: %s', (template, values, text) => {
  expect(fill(template, values as Record<string, string>)).toBe(text);
});

test('brackets in a value are not part of the template', () => {
  expect(fill('clicks {offer}', { offer: '[{x}]' })).toBe('clicks [{x}]');
});
