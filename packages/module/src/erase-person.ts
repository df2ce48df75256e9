import type { AccountWriter } from '@service/database';

/** A person whose data is erased in one account. Their registrations are deleted already. */
export interface ErasedPerson {
  /** The id of the erasure, which histories keep. */
  erasureId: string;
  /** In lower case. */
  email: string;
  /** `hashAddress` of packages/secrets, which stays in the place of the address. */
  emailHash: string;
  registrationIds: readonly string[];
  /** The time of the request. Newer facts are about a person who has come back, and stay. */
  until: Date;
  /** It is called again from the beginning minutes later, for what running work has written in the meantime. */
  isRepetition: boolean;
}

/**
 * Erases a bounded part of a module's data about a person, in one transaction of a worker. Returns the cursor of the next part, and null when
 * nothing is left.
 */
export type ErasePerson = (
  tx: AccountWriter,
  person: ErasedPerson,
  cursor: string | null,
) => Promise<string | null>;
