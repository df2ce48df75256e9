// The erasure of a person, in which each module has a part.
import type { AccountWriter } from '@service/database';

/** A person whose data is erased in one account. Their registrations are deleted already. */
export interface ErasedPerson {
  /** The id of the erasure, which histories keep. */
  erasureId: string;
  /** In lower case. */
  email: string;
  registrationIds: readonly string[];
  /**
   * The time of the request. Newer facts are about a person who has come back, and stay. The repetition may also erase newer facts if the
   * person has no registration.
   */
  until: Date;
  /** It is called again from the beginning minutes later, for what running work has written in the meantime. */
  isRepetition: boolean;
}

/** Something about the person is in use. The module is called again from the beginning a minute later. */
export const tryLater = Symbol('tryLater');

/**
 * Erases a bounded part of a module's data about a person, in one transaction of a worker. Returns the cursor of the next part, null when
 * nothing is left, or `tryLater`.
 */
export type ErasePerson = (
  tx: AccountWriter,
  person: ErasedPerson,
  cursor: string | null,
) => Promise<string | null | typeof tryLater>;

/**
 * A regular expression, for JavaScript and Postgres, of texts that name an e-mail address in lower case, alone or percent-encoded. Part of a
 * longer address does not count. The address may stand after an escape of JSON, such as `\n`, or of an URL.
 */
export function addressPattern(email: string): string {
  // Not `RegExp.escape`: Postgres reads its hexadecimal escapes in another way.
  const forms = [email, encodeURIComponent(email)].map((form) =>
    form.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`),
  );
  return String.raw`(?:(?<![a-z0-9.+])|(?<=\\[nrt])|(?<=%[0-9a-f][0-9a-f]))(?:${forms.join('|')})(?![a-z0-9_-]|\.[a-z0-9])`;
}

/** True if a text names the address, in lower case. */
export const namesAddress = (text: string, email: string): boolean =>
  new RegExp(addressPattern(email), 'i').test(text);
