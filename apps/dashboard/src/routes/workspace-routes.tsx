// Pages of a workspace.
import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { ActivitySearch } from '../pages/activity/search.ts';
import { AiToolsSearch } from '../pages/ai-tools/search.ts';
import { RevenueSearch } from '../pages/revenue/search.ts';
import { WebhooksSearch } from '../pages/webhooks/search.ts';
import { WebinarsSearch } from '../pages/webinars/search.ts';
import { flag, optional, text, word } from '../search-params.ts';
import { rememberWorkspace, sessionQuery } from '../session.ts';
import { rootRoute } from './public-routes.tsx';

export const workspaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/w/$workspaceId',
  beforeLoad: async ({ context, params, location }) => {
    const { user, workspaces } = await context.queryClient.ensureQueryData(sessionQuery);
    if (!user) throw redirect({ to: '/sign-in', search: { redirect: location.href } });
    const workspace = workspaces.find((entry) => entry.id === params.workspaceId);
    if (!workspace) throw notFound();
    rememberWorkspace(workspace.id);
    return { user, workspace, workspaces };
  },
  component: lazyRouteComponent(() => import('../shell/shell.tsx'), 'Shell'),
});

const workspaceIndexRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/w/$workspaceId/home', params });
  },
});

const homeSearch = z.object({
  /** The dialog that makes a webinar is open. */
  create: flag,
});

const homeRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'home',
  validateSearch: (typed) => homeSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/home/home-page.tsx'), 'HomePage'),
});

const webinarsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'webinars',
  validateSearch: (typed) => WebinarsSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/webinars/webinars-page.tsx'), 'WebinarsPage'),
});

const peopleSearch = z.object({
  /** Words of a name or an e-mail address. */
  q: word,
});

const peopleRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'people',
  validateSearch: (typed) => peopleSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/people/people-page.tsx'), 'PeoplePage'),
});

const personSearch = z.object({
  /** The delivery whose drawer is open. */
  delivery: text,
});

const personRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'people/$registrationId',
  validateSearch: (typed) => personSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/people/person-page.tsx'), 'PersonPage'),
});

const revenueRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'revenue',
  validateSearch: (typed) => RevenueSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/revenue/revenue-page.tsx'), 'RevenuePage'),
});

const refusedSearch = z.object({
  /** The refused event whose drawer is open. */
  refused: text,
});

const revenueSettingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/revenue',
  validateSearch: (typed) => refusedSearch.parse(typed),
  component: lazyRouteComponent(
    () => import('../pages/settings/revenue/revenue-settings-page.tsx'),
    'RevenueSettingsPage',
  ),
});

const emailSettingsSearch = z.object({
  /** The form of a new connection is open. */
  connect: flag,
  /** The connection whose domain is open. */
  domain: word,
  /** Part of a suppressed address. */
  q: word,
});

const emailSettingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/email',
  validateSearch: (typed) => emailSettingsSearch.parse(typed),
  component: lazyRouteComponent(
    () => import('../pages/settings/email/email-settings-page.tsx'),
    'EmailSettingsPage',
  ),
});

const marketingToolsSearch = z.object({
  /** The form of a new connection is open. */
  connect: flag,
});

const marketingToolsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/marketing-tools',
  validateSearch: (typed) => marketingToolsSearch.parse(typed),
  component: lazyRouteComponent(
    () => import('../pages/settings/marketing-tools/marketing-tools-page.tsx'),
    'MarketingToolsPage',
  ),
});

const marketingToolSearch = z.object({
  /** The settings when left out. */
  tab: optional(z.enum(['sent'])),
  /** Only sends with this outcome. */
  outcome: word,
});

const marketingToolRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/marketing-tools/$connectionId',
  validateSearch: (typed) => marketingToolSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/settings/marketing-tools/tool-page.tsx'), 'ToolPage'),
});

const workspaceSettingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/workspace',
  component: lazyRouteComponent(
    () => import('../pages/settings/workspace/workspace-settings-page.tsx'),
    'WorkspaceSettingsPage',
  ),
});

const keysSearch = z.object({
  create: flag,
  /** The key whose revoke dialog is open. */
  revoke: text,
  /** Only keys of this creator: the id of a member, `operator` or `unknown`. */
  maker: text,
});

const keysRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/keys',
  validateSearch: (typed) => keysSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/keys/keys-page.tsx'), 'KeysPage'),
});

const aiToolsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'ai-tools',
  validateSearch: (typed) => AiToolsSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/ai-tools/ai-tools-page.tsx'), 'AiToolsPage'),
});

const activityRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/activity',
  validateSearch: (typed) => ActivitySearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/activity/activity-page.tsx'), 'ActivityPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/members',
  component: lazyRouteComponent(() => import('../pages/members/members-page.tsx'), 'MembersPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/account',
  component: lazyRouteComponent(() => import('../pages/settings/account/account-page.tsx'), 'AccountPage'),
});

const auditLogSearch = z.object({
  /** Only changes of this member, by their id. */
  member: text,
});

const auditLogRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/audit-log',
  validateSearch: (typed) => auditLogSearch.parse(typed),
  component: lazyRouteComponent(
    () => import('../pages/settings/workspace/audit-log-page.tsx'),
    'AuditLogPage',
  ),
});

/** All endpoints of the workspace. */
const webhooksRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'webhooks',
  validateSearch: (typed) => WebhooksSearch.parse(typed),
  component: lazyRouteComponent(() => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const installationRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/installation',
  component: lazyRouteComponent(
    () => import('../pages/installation/installation-page.tsx'),
    'InstallationPage',
  ),
});

export const workspaceRoutes = [
  workspaceIndexRoute,
  homeRoute,
  peopleRoute,
  personRoute,
  webinarsRoute,
  revenueRoute,
  revenueSettingsRoute,
  emailSettingsRoute,
  marketingToolsRoute,
  marketingToolRoute,
  workspaceSettingsRoute,
  webhooksRoute,
  keysRoute,
  aiToolsRoute,
  activityRoute,
  membersRoute,
  accountRoute,
  auditLogRoute,
  installationRoute,
];
