import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { sessionQuery } from '../../session.ts';

/** After sign-in or sign-up: reads the new sign-in session, then opens the wanted page. */
export function useEnter(redirect: string | undefined): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    // Only a path of this site is allowed. `//host` and absolute URLs lead to another site.
    const isLocal = redirect !== undefined && /^\/(?![/\\])/.test(redirect);
    await router.navigate({ href: isLocal ? redirect : '/', replace: true });
  };
}
