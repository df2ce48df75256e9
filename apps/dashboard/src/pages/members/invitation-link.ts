import type { Invitation } from '../../trpc.ts';

/** What the invited person opens. */
export const invitationLink = ({ path }: Invitation): string => new URL(path, window.location.origin).href;
