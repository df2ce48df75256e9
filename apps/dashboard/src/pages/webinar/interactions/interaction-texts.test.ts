import type { Condition, ConditionNames } from '@service/conditions';
import { expect, test } from 'vitest';
import { audienceText, responseText } from './interaction-texts.ts';

test('the share of an interaction stands beside the people who clicked, not beside their clicks', () => {
  const counts = { interactionId: 'offer', views: 62, clicks: 14, clickers: 12, answers: 0 };
  expect(responseText({ type: 'offer' }, counts)).toBe('12 people (19 %), 14 clicks');
  expect(responseText({ type: 'handout' }, { ...counts, clicks: 12 })).toBe('12 people (19 %)');
  // A player reports a view only where it can.
  expect(responseText({ type: 'cta' }, { ...counts, views: 3 })).toBe('12 people, 14 clicks');
});

test('the list says for whom an interaction appears, with all its conditions and the names of their records', () => {
  const names: ConditionNames = {
    interaction: (id) => ({ text: `Card ${id}` }),
    option: (_poll, option) => ({ text: `Option ${option}` }),
    customField: (key) => `Field ${key}`,
  };
  const showWhen: Condition[] = [
    { field: 'joined', operator: 'eq', value: true },
    { field: 'clickedInteraction', operator: 'eq', value: 'spring' },
  ];
  expect(audienceText({ showWhen }, names)).toBe('If they joined and they clicked Card spring');
  expect(audienceText({ showWhen: [] }, names)).toBe('Everyone');
});
