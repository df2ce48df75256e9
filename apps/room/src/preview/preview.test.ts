import { expect, test } from 'vitest';
import { readPreview } from './preview.ts';

const parent = {} as Window;
const page = { parent, location: { origin: 'https://webinars.test' } as Location };
const preview = { locale: 'en' };
const sent = { origin: 'https://webinars.test', source: parent, data: { type: 'room-preview', preview } };

test('the preview shows what the dashboard around it sends, and ignores other origins, windows and messages', () => {
  expect(readPreview(sent, page)).toBe(preview);
  for (const change of [
    { origin: 'https://attacker.test' },
    { origin: 'null' },
    { source: {} as Window },
    { source: null },
    { data: { type: 'webinar-registration-height', preview } },
    { data: null },
  ])
    expect(readPreview({ ...sent, ...change }, page), JSON.stringify(change)).toBeUndefined();
});
