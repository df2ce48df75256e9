import { expect, test } from 'vitest';
import { responseText } from './interaction-texts.ts';

test('the share of an interaction stands beside the people who clicked, not beside their clicks', () => {
  const counts = { interactionId: 'offer', views: 62, clicks: 14, clickers: 12, answers: 0 };
  expect(responseText({ type: 'offer' }, counts)).toBe('12 people (19 %), 14 clicks');
  expect(responseText({ type: 'handout' }, { ...counts, clicks: 12 })).toBe('12 people (19 %)');
  // A player reports a view only where it can.
  expect(responseText({ type: 'cta' }, { ...counts, views: 3 })).toBe('12 people, 14 clicks');
});
