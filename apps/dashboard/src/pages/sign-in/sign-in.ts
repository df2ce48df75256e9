import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { dropDrafts } from '../../form-draft.ts';
import { sessionQuery, type Session } from '../../session.ts';

/** The invitation in the address of the page that asked for the sign-in. */
export const invitationIdOf = (redirect: string | undefined): string | undefined =>
  /^\/invitations\/([0-9a-f-]{36})$/.exec(redirect ?? '')?.[1];

/** The reason for refusing a sign-up of this visitor; undefined when it is not refused. */
export function signUpRefusal(mode: Session['signUp'], redirect: string | undefined): string | undefined {
  if (mode === 'closed') return 'Sign-up is closed. Ask the operator of this service for an account.';
  if (mode === 'invited' && invitationIdOf(redirect) === undefined)
    return 'Sign-up needs an invitation. Ask an owner of the workspace to invite you, then open the link of the invitation.';
  return undefined;
}

/** After sign-in or sign-up: reads the new sign-in session, then opens the wanted page. */
export function useEnter(redirect: string | undefined): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    const { user } = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    dropDrafts({ exceptOf: user?.id });
    // Only a path of this site is allowed. `//host` and absolute URLs lead to another site.
    const isLocal = redirect !== undefined && /^\/(?![/\\])/.test(redirect);
    await router.navigate({ href: isLocal ? redirect : '/', replace: true });
  };
}
