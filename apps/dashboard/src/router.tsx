import { QueryClient, QueryCache, MutationCache } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { checkAccess } from './ended-session.ts';
import { failureOf, isOutage, isWorthRetrying, retryDelayMs } from './failure.ts';
import { suspectConnection } from './live/connection.ts';
import { PagePending } from './pages/page-pending.tsx';
import { NotFoundPage, RouteFailure } from './pages/route-failure.tsx';
import { publicRoutes, rootRoute } from './routes/public-routes.tsx';
import { webinarRoutes } from './routes/webinar-routes.tsx';
import { workspaceRoute, workspaceRoutes } from './routes/workspace-routes.tsx';

function onFailure(error: unknown): void {
  if (failureOf(error).code === 'sign_in_required') void checkAccess(router, queryClient);
  if (isOutage(error)) suspectConnection();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onFailure }),
  mutationCache: new MutationCache({ onError: onFailure }),
  defaultOptions: {
    queries: {
      staleTime: 2000,
      // The stream says when records have changed, and `Live` reads them again after a lost connection.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // The browser only guesses whether it is online.
      networkMode: 'always',
      retry: (count, error) => count < 2 && isWorthRetrying(error),
      retryDelay: retryDelayMs,
    },
    mutations: { networkMode: 'always' },
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
