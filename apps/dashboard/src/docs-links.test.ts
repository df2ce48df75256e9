// test/browser/docs.test.ts opens links of this form in the reference.
import { expect, test } from 'vitest';
import { docsOfErrorCode, docsOfOperation, docsOfPage, guideOfPage } from './docs-links.ts';

test('the link to an operation has its tag, its method and its path', () => {
  expect(docsOfOperation('GET /event-types', 'Event types')).toBe(
    '/api/v1/docs#api-1/tag/event-types/GET/event-types',
  );
});

test('the link to an error code is the anchor of `docUrl`', () => {
  expect(docsOfErrorCode('session_full')).toBe('/api/v1/docs/errors#session_full');
});

test('a page leads to its part of the reference, without one to the webinars, and to its guide if it has one', () => {
  const page = '/w/$workspaceId/webinars/$webinarId';
  expect(docsOfPage(`${page}/adaptive`)).toBe('/api/v1/docs#api-1/tag/segments');
  expect(docsOfPage(`${page}/details`)).toBe('/api/v1/docs#api-1/tag/webinars');
  expect(guideOfPage(`${page}/webhooks`)).toBe('/api/v1/docs/guides/webhooks');
  expect(guideOfPage(`${page}/details`)).toBeUndefined();
});
