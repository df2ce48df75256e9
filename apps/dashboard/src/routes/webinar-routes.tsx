// The page of a webinar, a route for each of its tabs, and the page of a rule or subscription.
import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { SourceSearch } from '../pages/source/search.ts';
import { isSourceKind } from '../pages/source/source.ts';
import {
  AdaptiveSearch,
  AutomationsSearch,
  InteractionsSearch,
  MailsSearch,
  RegistrationsSearch,
  ResultsSearch,
  WebinarSearch,
  WebhooksTabSearch,
  SessionsSearch,
} from '../pages/webinar/search.ts';
import { workspaceRoute } from './workspace-routes.tsx';

const webinarRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'webinars/$webinarId',
  validateSearch: (typed) => WebinarSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/webinar/webinar-page.tsx'), 'WebinarPage'),
});

const webinarIndexRoute = createRoute({
  getParentRoute: () => webinarRoute,
  path: '/',
  // Mails that were sent before the tabs had routes link to `?tab=automations`.
  validateSearch: (typed: Record<string, unknown>): { tab?: 'automations' } =>
    typed['tab'] === 'automations' ? { tab: 'automations' } : {},
  beforeLoad: ({ params, search }) => {
    const tab = search.tab ?? 'details';
    throw redirect({ to: `/w/$workspaceId/webinars/$webinarId/${tab}`, params, search: {}, replace: true });
  },
});

const detailsRoute = createRoute({
  getParentRoute: () => webinarRoute,
  path: 'details',
  component: lazyRouteComponent(() => import('../pages/webinar/details/details-tab.tsx'), 'DetailsTab'),
});

const scheduleRoute = createRoute({
  getParentRoute: () => webinarRoute,
  path: 'schedule',
  component: lazyRouteComponent(() => import('../pages/webinar/schedule/schedule-tab.tsx'), 'ScheduleTab'),
});

const pageRoute = createRoute({
  getParentRoute: () => webinarRoute,
  path: 'page',
  component: lazyRouteComponent(() => import('../pages/webinar/page/page-tab.tsx'), 'PageTab'),
});

const interactionsRoute = createRoute({
  getParentRoute: () => webinarRoute,
  path: 'interactions',
  validateSearch: (typed) => InteractionsSearch.parse(typed),
  component: lazyRouteComponent(
    () => import('../pages/webinar/interactions/interactions-tab.tsx'),
    'InteractionsTab',
  ),
});

const adaptiveRoute = createRoute({
  getParentRoute: () => webinarRoute,
  path: 'adaptive',
  validateSearch: (typed) => AdaptiveSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/webinar/adaptive/adaptive-tab.tsx'), 'AdaptiveTab'),
});

const sessionsRoute = createRoute({
  getParentRoute: () => webinarRoute,
  path: 'sessions',
  validateSearch: (typed) => SessionsSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/webinar/sessions/sessions-tab.tsx'), 'SessionsTab'),
});

const registrationsRoute = createRoute({
  getParentRoute: () => webinarRoute,
  path: 'registrations',
  validateSearch: (typed) => RegistrationsSearch.parse(typed),
  component: lazyRouteComponent(
    () => import('../pages/webinar/registrations/registrations-tab.tsx'),
    'RegistrationsTab',
  ),
});

/** The first tab of an archived webinar. */
const archivedRoute = createRoute({
  getParentRoute: () => webinarRoute,
  path: 'archived',
  component: lazyRouteComponent(() => import('../pages/webinar/archived/archived-tab.tsx'), 'ArchivedTab'),
});

const resultsRoute = createRoute({
  getParentRoute: () => webinarRoute,
  path: 'results',
  validateSearch: (typed) => ResultsSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/webinar/results/results-tab.tsx'), 'ResultsTab'),
});

const mailsRoute = createRoute({
  getParentRoute: () => webinarRoute,
  path: 'mails',
  validateSearch: (typed) => MailsSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/webinar/mails/mails-tab.tsx'), 'MailsTab'),
});

const automationsRoute = createRoute({
  getParentRoute: () => webinarRoute,
  path: 'automations',
  validateSearch: (typed) => AutomationsSearch.parse(typed),
  component: lazyRouteComponent(
    () => import('../pages/webinar/automations/automations-tab.tsx'),
    'AutomationsTab',
  ),
});

const webhooksRoute = createRoute({
  getParentRoute: () => webinarRoute,
  path: 'webhooks',
  validateSearch: (typed) => WebhooksTabSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/webinar/webhooks/webhooks-tab.tsx'), 'WebhooksTab'),
});

/** A webhook rule or subscription, and its deliveries. */
const sourceRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'webinars/$webinarId/$kind/$sourceId',
  validateSearch: (typed) => SourceSearch.parse(typed),
  beforeLoad: ({ params }) => {
    if (!isSourceKind(params.kind)) throw notFound();
  },
  component: lazyRouteComponent(() => import('../pages/source/source-page.tsx'), 'SourcePage'),
});

export const webinarRoutes = [
  webinarRoute.addChildren([
    webinarIndexRoute,
    detailsRoute,
    scheduleRoute,
    pageRoute,
    interactionsRoute,
    adaptiveRoute,
    sessionsRoute,
    registrationsRoute,
    archivedRoute,
    resultsRoute,
    mailsRoute,
    automationsRoute,
    webhooksRoute,
  ]),
  sourceRoute,
];
