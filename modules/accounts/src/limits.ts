/** People a workspace may have; it also bounds the list of them. */
export const membersMax = 500;

/** Invitations that may be open at a time. */
export const invitationsMax = 100;

export const invitationDays = 7;

/** The pause between two attempts to sign in to one account from addresses that it does not know, in seconds. */
export const accountPauseUsualSeconds = 5;

/** Addresses that are remembered for each user; the one that was used longest ago is dropped first. */
export const knownAddressesMax = 20;
