import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { sessionQuery } from '../../session.ts';

/** After signing in or up: read the new session, then go where the person wanted to go. */
export function useEnter(redirect: string | undefined): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    // Only a path of this site: `//host` and absolute addresses would leave it.
    const isLocal = redirect !== undefined && /^\/(?![/\\])/.test(redirect);
    await router.navigate({ href: isLocal ? redirect : '/', replace: true });
  };
}
