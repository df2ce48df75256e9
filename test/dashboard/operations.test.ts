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
  'responses.list': 'The panel lists responses with the person: responses.listRespondents.',
  'revenueWindow.read': 'The settings of revenue read and preview the window with procedures of their own.',
  'revenueEvents.record':
    'Purchases come from payment providers and shops. Settings, Revenue names the call.',
  'revenueEvents.recordMany': 'The same.',
  'connections.get': 'The list has every field of a connection.',
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
};

const oneButton = 'One button without a form sends it.';
const record = 'A page of one record. The calls of its forms and lists name the record.';
const recoverForm = 'The form of a recovery shows the call that makes the recovery.';

/** Operations that pages use and that no "Show the API call" shows. */
const withoutShownCall: Record<string, string> = {
  'GET /webinars/{webinarId}': record,
  'GET /webinars/{webinarId}/sessions/{sessionId}': record,
  'GET /webinars/{webinarId}/registrations/{registrationId}': record,
  'GET /webinars/{webinarId}/webhooks/{webhookId}': record,
  'GET /webinars/{webinarId}/automations/{ruleId}': record,
  'POST /webinars/{webinarId}/publish': oneButton,
  'POST /webinars/{webinarId}/sessions/{sessionId}/reset': oneButton,
  'POST /webinars/{webinarId}/sessions/{sessionId}/progress': oneButton,
  'POST /webinars/{webinarId}/webhooks/{webhookId}/probe': oneButton,
  'POST /webinars/{webinarId}/automations/{ruleId}/probe': oneButton,
  'POST /webinars/{webinarId}/webhooks/{webhookId}/recoveries/{recoveryId}/cancel': oneButton,
  'POST /webinars/{webinarId}/automations/{ruleId}/recoveries/{recoveryId}/cancel': oneButton,
  'POST /webinars/{webinarId}/webhooks/{webhookId}/waiting/stop': oneButton,
  'POST /webinars/{webinarId}/automations/{ruleId}/waiting/stop': oneButton,
  'GET /webinars/{webinarId}/webhooks/{webhookId}/waiting': 'A number beside the button that sends.',
  'GET /webinars/{webinarId}/automations/{ruleId}/waiting': 'A number beside the button that sends.',
  'POST /webinars/{webinarId}/webhooks/{webhookId}/recoveries/preview': recoverForm,
  'POST /webinars/{webinarId}/automations/{ruleId}/recoveries/preview': recoverForm,
  'DELETE /connections/{connectionId}/runs/{runId}': oneButton,
  'GET /webinars/{webinarId}/session-slots': 'The choices of a field.',
  'GET /event-types': 'The choices of a field.',
  'GET /api-calls': 'The page of Activity has a link to the reference.',
};

const folder = join(import.meta.dirname, '../../apps/dashboard/src');
const sources = globSync(join(folder, '**/*.{ts,tsx}'))
  .filter((path) => !path.includes('.test.') && !path.endsWith('api-operations.ts'))
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

/** True if a page shows the call. The sources name operations only for that, as the types of api-call.ts demand. */
const isShown = (operation: string): boolean => sources.includes(`'${operation}'`);

const operationOf = ({ method, template }: Route): string => `${method} ${template}`;

test('every list and form shows the API call of its operation, or has a reason why not', () => {
  const missing = routes
    .filter((route) => !isAlias(route) && !(route.procedure in withoutPage))
    .map(operationOf)
    .filter((operation) => !(operation in withoutShownCall) && !isShown(operation));
  expect(missing).toEqual([]);
});

test('each reason not to show a call is for an operation that exists and that no page shows', () => {
  const known = new Set(routes.map(operationOf));
  const outdated = Object.keys(withoutShownCall).filter(
    (operation) => !known.has(operation) || isShown(operation),
  );
  expect(outdated).toEqual([]);
});
