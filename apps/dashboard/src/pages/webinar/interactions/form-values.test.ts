import { expect, test } from 'vitest';
import { createOption, emptyValues, toBody, toShown, toValues, validateInteraction } from './form-values.ts';

const place = { webinarId: '019aa1c2-7ac2-7b1f-8e60-5a1f3a7a5d01', durationSeconds: 3600 };

const offer = {
  ...emptyValues(null),
  internalName: 'Discount',
  headline: 'Now',
  showAtSeconds: '30:00',
  url: 'https://example.com/',
  buttonLabel: 'Buy',
};

test('a stored interaction has the same body again', () => {
  const stored = {
    ...toBody('offer', { ...offer, priceMinor: '79', currency: 'EUR', countdownSeconds: '10:00' }),
    type: 'offer' as const,
  };
  expect(stored).toMatchObject({
    showAtSeconds: 1800,
    hideAtSeconds: null,
    priceMinor: 7900,
    productRefs: [],
  });
  const { type, ...body } = stored;
  expect(toBody(type, toValues(stored as never))).toEqual(body);
});

test('a body has no fields of other types', () => {
  const poll = { ...emptyValues(null), options: [createOption('Yes'), { ...createOption('No'), id: 'no' }] };
  const body = toBody('poll', poll);
  expect(body.options).toEqual([{ label: 'Yes' }, { id: 'no', label: 'No' }]);
  expect(Object.keys(body)).not.toContain('url');
});

test('problems are at their fields, with words for texts that are no time or amount', () => {
  const problemsOf = (change: object) => validateInteraction('offer', place)({ ...offer, ...change });
  expect(problemsOf({})).toEqual({});
  expect(problemsOf({ showAtSeconds: 'soon', hideAtSeconds: '1:75' })).toEqual({
    showAtSeconds: 'Write a time such as 1:30.',
    hideAtSeconds: 'Write a time such as 1:30.',
  });
  expect(problemsOf({ showAtSeconds: '1:00:00' })).toEqual({
    showAtSeconds: 'Must be before the end of the video, 1:00:00.',
  });
  expect(problemsOf({ priceMinor: 'free', currency: 'EUR' })).toEqual({
    priceMinor: 'Write an amount such as 79.00.',
  });
  expect(problemsOf({ priceMinor: '79', currency: '' })).toEqual({ currency: 'A price needs a currency.' });
  expect(Object.keys(problemsOf({ url: 'javascript:alert(1)', headline: '' })).toSorted()).toEqual([
    'headline',
    'url',
  ]);
  expect(Object.keys(problemsOf({ showAtSeconds: '2:00', hideAtSeconds: '1:00' }))).toEqual([
    'hideAtSeconds',
  ]);
});

test('the preview shows samples for empty texts and leaves out half a price, time, text or image URL', () => {
  const typed = {
    ...emptyValues(null),
    priceMinor: '7.',
    currency: 'EUR',
    countdownSeconds: '1:',
    body: ' ',
    imageUrl: 'htt',
  };
  const empty = {
    headline: 'Question',
    body: null,
    priceMinor: null,
    countdownSeconds: null,
    imageUrl: null,
  };
  expect(toShown('poll', typed)).toMatchObject(empty);
  const imageUrl = 'https://example.com/offer.png';
  expect(toShown('offer', { ...typed, imageUrl: `${imageUrl} ` })).toMatchObject({ imageUrl });
  expect(toShown('poll', typed).options?.map(({ label }) => label)).toEqual(['Answer 1', 'Answer 2']);
});
