import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { checkAccess } from './ended-session.ts';
import { failureOf, isOutage, isWorthRetrying, retryDelayMs } from './failure.ts';
import { suspectConnection } from './live/connection.ts';
import { PagePending } from './pages/load-failure.tsx';
import { NotFoundPage, RouteFailure } from './pages/route-failure.tsx';
import { publicRoutes, rootRoute } from './routes/public-routes.tsx';
import { webinarRoutes } from './routes/webinar-routes.tsx';
import { workspaceRoute, workspaceRoutes } from './routes/workspace-routes.tsx';
import { sessionQuery, type Session } from './session.ts';

/** All pages. `session` is the sign-in session when it was read already. */
export function createApp(session: Session | undefined) {
  if (session) queryClient.setQueryData(sessionQuery.queryKey, session);
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

function onFailure(error: unknown): void {
  if (failureOf(error).code === 'sign_in_required') void checkAccess(router, queryClient);
  if (isOutage(error)) suspectConnection();
}

const queryClient = new QueryClient({
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
