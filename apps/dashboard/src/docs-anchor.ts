// The part of the API reference about each page.

/** By the end of the route. The first entry that fits counts. */
const anchors = [
  ['/registrations', 'tag/registrations'],
  ['/sessions', 'tag/sessions'],
  ['/schedule', 'tag/sessions'],
  ['/interactions', 'tag/interactions'],
  ['/adaptive', 'tag/segments'],
  ['/automations', 'tag/automations'],
  ['/webhooks', 'tag/webhooks'],
  ['/$sourceId', 'tag/webhooks'],
  ['/keys', 'description/authentication'],
  ['/activity', 'description/errors'],
  ['/members', 'tag/account'],
  ['/installation', 'description/webhooks'],
] as const;

export const docsAnchorOf = (routeId: string): string =>
  anchors.find(([end]) => routeId.endsWith(end))?.[1] ?? 'tag/webinars';
