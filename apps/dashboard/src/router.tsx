import { QueryClient, QueryCache, MutationCache } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router';
import { failureOf, isWorthRetrying, retryDelayMs } from './failure.ts';
import { PagePending } from './pages/page-pending.tsx';
import { isSourceKind } from './pages/source/source.ts';
import { NotFoundPage, RouteFailure } from './pages/route-failure.tsx';
import {
  ActivitySearch,
  KeysSearch,
  SignInSearch,
  SourceSearch,
  WebinarSearch,
  WebinarsSearch,
} from './pages/search.ts';
import { preferredWorkspace, rememberWorkspace, sessionQuery } from './session.ts';

/** When the sign-in session has ended: clears all data and opens the sign-in page, which leads back here. */
function onFailure(error: unknown): void {
  if (failureOf(error).code !== 'sign_in_required' || router.state.location.pathname === '/sign-in') return;
  const from = router.state.location.href;
  queryClient.clear();
  void router.navigate({ to: '/sign-in', search: { redirect: from } });
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onFailure }),
  mutationCache: new MutationCache({ onError: onFailure }),
  defaultOptions: {
    queries: {
      staleTime: 2000,
      retry: (count, error) => count < 2 && isWorthRetrying(error),
      retryDelay: retryDelayMs,
    },
  },
});

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({});

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    const workspace = preferredWorkspace(session);
    if (!session.user) throw redirect({ to: '/sign-in' });
    if (!workspace) throw notFound();
    throw redirect({ to: '/w/$workspaceId/webinars', params: { workspaceId: workspace.id } });
  },
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (typed) => SignInSearch.parse(typed),
  beforeLoad: async ({ context, search }) => {
    // After a refused call the cached sign-in session may look valid, and the redirects would never end.
    if (search.redirect !== undefined) return;
    const { user } = await context.queryClient.ensureQueryData(sessionQuery);
    if (user) throw redirect({ to: '/' });
  },
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  validateSearch: (typed) => SignInSearch.parse(typed),
  beforeLoad: async ({ context }) => ({ session: await context.queryClient.ensureQueryData(sessionQuery) }),
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-up-page.tsx'), 'SignUpPage'),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitations/$invitationId',
  beforeLoad: async ({ context, location }) => {
    const { user } = await context.queryClient.ensureQueryData(sessionQuery);
    if (!user) throw redirect({ to: '/sign-in', search: { redirect: location.href } });
    return { user };
  },
  component: lazyRouteComponent(() => import('./pages/invitation/invitation-page.tsx'), 'InvitationPage'),
});

const workspaceRoute = createRoute({
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
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
});

const workspaceIndexRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/w/$workspaceId/webinars', params });
  },
});

const webinarsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'webinars',
  validateSearch: (typed) => WebinarsSearch.parse(typed),
  component: lazyRouteComponent(() => import('./pages/webinars/webinars-page.tsx'), 'WebinarsPage'),
});

const webinarRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'webinars/$webinarId',
  validateSearch: (typed) => WebinarSearch.parse(typed),
  component: lazyRouteComponent(() => import('./pages/webinar/webinar-page.tsx'), 'WebinarPage'),
});

/** A webhook rule or subscription, and its deliveries. */
const sourceRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'webinars/$webinarId/$kind/$sourceId',
  validateSearch: (typed) => SourceSearch.parse(typed),
  beforeLoad: ({ params }) => {
    if (!isSourceKind(params.kind)) throw notFound();
  },
  component: lazyRouteComponent(() => import('./pages/source/source-page.tsx'), 'SourcePage'),
});

const keysRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/keys',
  validateSearch: (typed) => KeysSearch.parse(typed),
  component: lazyRouteComponent(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
});

const activityRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/activity',
  validateSearch: (typed) => ActivitySearch.parse(typed),
  component: lazyRouteComponent(() => import('./pages/activity/activity-page.tsx'), 'ActivityPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings/members',
  component: lazyRouteComponent(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
});

const workspaceTree = workspaceRoute.addChildren([
  workspaceIndexRoute,
  webinarsRoute,
  webinarRoute,
  sourceRoute,
  keysRoute,
  activityRoute,
  membersRoute,
]);

export const router = createRouter({
  routeTree: rootRoute.addChildren([indexRoute, signInRoute, signUpRoute, invitationRoute, workspaceTree]),
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPendingComponent: PagePending,
  defaultPendingMs: 200,
  defaultErrorComponent: RouteFailure,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
