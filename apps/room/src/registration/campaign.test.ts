import { expect, test } from 'vitest';
import { readCampaign } from './campaign.ts';

const origin = 'https://webinars.test';
const read = (search: string, referrer = '') => readCampaign(search, { referrer, origin });

test('a campaign is read from the address of the page, within the limits of the service', () => {
  const long = 'x'.repeat(600);
  expect(
    read(`?utm_source=letter&utm_medium=%20&utm_campaign=${long}&gclid=abc&fbclid=${long}&other=1`),
  ).toEqual({
    utm: { source: 'letter', medium: null, campaign: 'x'.repeat(200), term: null, content: null },
    clickIds: { gclid: 'abc' },
    referrer: null,
  });
});

test('the page that linked here is kept, unless it is of this site', () => {
  expect(read('', 'https://blog.test/post?id=1').referrer).toBe('https://blog.test/post?id=1');
  expect(read('', `${origin}/w/other-abc123`).referrer).toBeNull();
  expect(read('', `https://blog.test/${'x'.repeat(3000)}`).referrer).toHaveLength(2048);
});
