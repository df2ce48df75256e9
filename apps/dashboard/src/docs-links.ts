// Links into the API reference and the guides beside it. Scalar makes its anchors from headings, tags, methods and paths.
import type { ApiOperation } from './api-call.ts';

const docsOf = (anchor: string): string => `/api/v1/docs#api-1/${anchor}`;

/** By the end of the route. The first entry that fits counts. */
const anchors = [
  ['/registrations', 'tag/registrations'],
  ['/people', 'tag/registrations'],
  ['/$registrationId', 'tag/registrations'],
  ['/mails', 'tag/mails'],
  ['/sessions', 'tag/sessions'],
  ['/schedule', 'tag/sessions'],
  ['/interactions', 'tag/interactions'],
  ['/adaptive', 'tag/segments'],
  ['/automations', 'tag/automations'],
  ['/webhooks', 'tag/webhooks'],
  ['/$sourceId', 'tag/webhooks'],
  ['/settings/revenue', 'description/revenue-webhooks'],
  ['/settings/email', 'tag/connections'],
  ['/settings/marketing-tools', 'tag/connections'],
  ['/$connectionId', 'tag/connections'],
  ['/revenue', 'tag/revenue'],
  ['/keys', 'description/authentication'],
  ['/ai-tools', 'description/ai-tools-mcp'],
  ['/activity', 'tag/activity'],
  ['/members', 'tag/account'],
  ['/settings/account', 'tag/account'],
  ['/settings/workspace', 'tag/account'],
  ['/audit-log', 'tag/activity'],
  ['/installation', 'description/webhooks'],
] as const;

/** The part of the API reference about a page. */
export const docsOfPage = (routeId: string): string =>
  docsOf(anchors.find(([end]) => routeId.endsWith(end))?.[1] ?? 'tag/webinars');

/** By the end of the route, as above. */
const guides = [
  ['/webhooks', 'webhooks'],
  ['/automations', 'webhooks'],
  ['/$sourceId', 'recovery'],
  ['/keys', 'first-call'],
  ['/activity', 'rate-limits'],
] as const;

/** The guide about what a page shows. Undefined for a page without one. */
export function guideOfPage(routeId: string): string | undefined {
  const name = guides.find(([end]) => routeId.endsWith(end))?.[1];
  return name && `/api/v1/docs/guides/${name}`;
}

/** An error code, as `docUrl` in the answers of the API. */
export const docsOfErrorCode = (code: string): string => `/api/v1/docs/errors#${code}`;

/** An operation, from its tag: `Event types`. */
export function docsOfOperation(operation: ApiOperation, tag: string): string {
  const [method, path] = operation.split(' ') as [string, string];
  return docsOf(`tag/${slugOf(tag)}/${method}${path}`);
}

const slugOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
