// Pages of the dashboard use every REST operation, except those that are named here with a reason.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listRoutes, type Route } from '@service/rest';
import { beforeAll, expect, test } from 'vitest';
import { testApi } from '../support/api.ts';

/** Operations without a page, by procedure. */
const withoutPage: Record<string, string> = {
  'accounts.me': 'It checks an API key. A member has a sign-in session instead.',
  'segments.get': 'The Adaptive tab reads all segments at once.',
  'segments.delete': 'The tab deletes a segment with its branches: segments.deleteWithBranches.',
  'segments.branches.get': 'The Adaptive tab reads all branches at once.',
  'sessions.list': 'The tab lists sessions by their start: sessions.listByStart.',
  'interactions.get': 'The Interactions tab reads all interactions at once.',
  'registrations.createMany': 'Import of a file comes with the page of people, in an issue of its own.',
  'responses.list': 'The panel lists responses with the person: responses.listRespondents.',
  'webhooks.listDeliveries': 'One list serves all endpoints: deliveries.list.',
  'webhooks.getDelivery': 'The drawer reads a delivery of any endpoint: automations.delivery.',
  'webhooks.redeliver':
    'A member sends a delivery again by automations.refire, which never repeats a success.',
  'webhooks.getRecovery': 'The list of recoveries has the running one.',
  'automations.rules.listDeliveries': 'One list serves all endpoints: deliveries.list.',
  'automations.rules.getDelivery': 'The drawer reads a delivery of any endpoint: automations.delivery.',
  'automations.rules.redeliver':
    'A member sends a delivery again by automations.refire, which never repeats a success.',
  'automations.rules.getRecovery': 'The list of recoveries has the running one.',
  'automations.ruleExecutions': 'The Executions view lists those of the webinar, with a filter by rule.',
};

const folder = join(import.meta.dirname, '../../apps/dashboard/src');
const sources = globSync(join(folder, '**/*.{ts,tsx}'))
  .filter((path) => !path.includes('.test.'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

/** True if a page names the procedure. A page may have taken the first names of its path from an object. */
function isUsed(procedure: string): boolean {
  const names = procedure.split('.');
  const path = names.slice(-2).join('\\s*\\??\\.\\s*');
  return new RegExp(`\\b${path}\\b`).test(sources);
}

/** The routes of one interaction type do the same as the routes of all types, which the pages use. */
const isAlias = ({ procedure }: Route): boolean =>
  /^interactions\.(offers|ctas|polls|handouts)\./.test(procedure) ||
  procedure === 'responses.listPollAnswers';

let routes: Route[];

beforeAll(async () => {
  await using service = await testApi();
  routes = listRoutes(service.api.service.router);
});

test('every REST operation is used by a page, or has a reason why not', () => {
  const missing = routes.filter(
    (route) => !isAlias(route) && !(route.procedure in withoutPage) && !isUsed(route.procedure),
  );
  expect(missing.map(({ procedure, method, template }) => `${procedure}: ${method} ${template}`)).toEqual([]);
});

test('each reason is for an operation that exists and that no page uses', () => {
  const known = new Set(routes.map(({ procedure }) => procedure));
  expect(Object.keys(withoutPage).filter((procedure) => !known.has(procedure) || isUsed(procedure))).toEqual(
    [],
  );
});
