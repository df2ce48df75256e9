import type { Invitation } from '../../trpc.ts';

/** The link for the invited person. */
export const invitationLink = ({ path }: Invitation): string => new URL(path, window.location.origin).href;
