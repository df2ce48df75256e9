import { QueryClient, QueryCache, MutationCache } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { failureOf, isWorthRetrying, retryDelayMs } from './failure.ts';
import { keepDrafts } from './form-draft.ts';
import { PagePending } from './pages/page-pending.tsx';
import { NotFoundPage, RouteFailure } from './pages/route-failure.tsx';
import { publicRoutes, rootRoute } from './routes/public-routes.tsx';
import { webinarRoutes } from './routes/webinar-routes.tsx';
import { workspaceRoute, workspaceRoutes } from './routes/workspace-routes.tsx';

function onFailure(error: unknown): void {
  if (failureOf(error).code === 'sign_in_required') leaveEndedSession();
}

/** The sign-in session has ended: keeps open forms, clears all data and opens the sign-in page, which leads back here. */
export function leaveEndedSession(): void {
  const { href, pathname } = router.state.location;
  if (pathname === '/sign-in') return;
  keepDrafts();
  queryClient.clear();
  // The forms are kept, so nothing is lost by leaving the page.
  void router.navigate({ to: '/sign-in', search: { redirect: href, ended: true }, ignoreBlocker: true });
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

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    ...publicRoutes,
    workspaceRoute.addChildren([...workspaceRoutes, ...webinarRoutes]),
  ]),
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
