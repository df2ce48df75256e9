import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { sessionQuery } from '../../session.ts';
import { useTRPC, type Invitation, type Member } from '../../trpc.ts';

export type Role = Member['role'];

export const roleTexts: Record<Role, string> = { owner: 'Owner', member: 'Member' };

/** The link for the invited person. */
export const invitationLink = ({ path }: Invitation): string => new URL(path, window.location.origin).href;

/** Reads the members again, and the sign-in session too, because owners can change their own role. */
export function useMembersChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    await queryClient.invalidateQueries(trpc.accounts.members.list.queryFilter());
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    await router.invalidate();
  };
}
