import { expect, test } from 'vitest';
import { routeToMeta } from './meta.ts';

const route = { rest: 'POST /webinars/{webinarId}/tags', summary: 'Add a tag', tag: 'Webinars' } as const;

test('the operation id of a route is the name of its tool in camel case', () => {
  const meta = routeToMeta({ ...route, tool: 'add_webinar_tag' });
  expect([meta.tool, meta.openapi?.operationId]).toEqual(['add_webinar_tag', 'addWebinarTag']);
});

test('a route without a tool names its operation and is no tool', () => {
  const meta = routeToMeta({ ...route, operationId: 'addWebinarTag' });
  expect([meta.tool, meta.openapi?.operationId]).toEqual([undefined, 'addWebinarTag']);
});
