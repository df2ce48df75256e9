/** People a workspace may have; it also bounds the list of them. */
export const membersMax = 500;

/** Invitations that may be open at a time. */
export const invitationsMax = 100;

export const invitationDays = 7;
