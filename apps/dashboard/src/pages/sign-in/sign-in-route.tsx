// Sign-in and sign-up as pages of the router. `visit.tsx` shows them without it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { dropDrafts } from '../../kept-drafts.ts';
import { sessionQuery } from '../../session.ts';
import { wantedPage, type SignInSearch } from './search.ts';
import { SignInPage, SignUpPage } from './sign-in-page.tsx';

const signInRoute = getRouteApi('/sign-in');
const signUpRoute = getRouteApi('/sign-up');

export function SignInRoute() {
  const search = signInRoute.useSearch();
  const { data: session } = useQuery(sessionQuery);
  return <SignInPage search={search} session={session} onEnter={useEnter(search)} />;
}

export function SignUpRoute() {
  const search = signUpRoute.useSearch();
  const { session } = signUpRoute.useRouteContext();
  return <SignUpPage search={search} session={session} onEnter={useEnter(search)} />;
}

/** After sign-in or sign-up: reads the new sign-in session, then opens the wanted page. */
function useEnter(search: SignInSearch): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    const { user } = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    dropDrafts({ exceptOf: user?.id });
    await router.navigate({ href: wantedPage(search), replace: true });
  };
}
