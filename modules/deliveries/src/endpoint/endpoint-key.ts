/** An endpoint and whose it is. */
export interface EndpointKey {
  accountId: string;
  endpointId: string;
}

/** The account is part of it: what is enqueued to somebody else's endpoint finds none. */
export const endpointKey = ({ accountId, endpointId }: EndpointKey): string => accountId + endpointId;
