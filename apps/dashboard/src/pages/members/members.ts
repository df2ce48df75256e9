import { useQueryClient } from '@tanstack/react-query';
import { useTRPC, type Invitation, type Member } from '../../trpc.ts';
import { useSessionChanged } from '../../workspace.ts';

export type Role = Member['role'];

export const roleTexts: Record<Role, string> = { owner: 'Owner', member: 'Member' };

/** The link for the invited person. */
export const invitationLink = ({ path }: Invitation): string => new URL(path, window.location.origin).href;

/** Reads the members again, and the sign-in session too, because owners can change their own role. */
export function useMembersChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const sessionChanged = useSessionChanged();
  return async () => {
    await queryClient.invalidateQueries(trpc.accounts.members.list.queryFilter());
    await sessionChanged();
  };
}
