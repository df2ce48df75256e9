/** From this status on a call has failed. */
export const firstFailure = 400;
