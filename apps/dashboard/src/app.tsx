import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient, router } from './router.tsx';
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
