// Sealed credentials and the limits of verifications, for the connections of mails and of marketing tools.
import { column, statement } from '@service/database';
import type { Issue } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import { issuesOf } from '@service/trpc';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { connectionErrors } from '../errors.ts';
import { sealContext } from './connection.ts';

const openedMax = 500;

/** A credential as it is stored. */
export interface StoredCredential {
  accountId: string;
  id: string;
  version: number;
  sealedCredential: string;
}

export function createCredentials(secretBox: SecretBox) {
  const opened = new LRUCache<string, { credential: unknown }>({ max: openedMax });
  return {
    seal: (credential: unknown, key: { id: string; credentialVersion: number }): string =>
      secretBox.seal(JSON.stringify(credential), sealContext(key)),

    /** Opened credentials are remembered by their version. */
    open({ accountId, id, version, sealedCredential }: StoredCredential, schema: z.ZodType): unknown {
      const name = `${accountId} ${id} ${version}`;
      const known = opened.get(name);
      if (known) return known.credential;
      const text = secretBox.open(sealedCredential, sealContext({ id, credentialVersion: version }));
      const credential = schema.parse(JSON.parse(text));
      opened.set(name, { credential });
      return credential;
    },
  };
}

export type Credentials = ReturnType<typeof createCredentials>;

/** The problems of a given credential, at their places in the input. */
export const credentialIssuesOf = (error: z.ZodError | undefined, input: unknown): Issue[] =>
  (error ? issuesOf(error, { input }) : []).map(({ path, message }) => ({
    path: path ? `credential.${path}` : 'credential',
    message,
  }));

/** The longest time of a call that verifies a credential. */
export const verifyMaxMs = 15_000;

/** One verification in ten seconds, over all processes. $1 account, $2 connection, $3 version. */
export const claimVerification = statement({
  name: 'connections.claim_verification',
  text: `
    update connections.connection set checked_at = now()
    where account_id = $1 and id = $2 and credential_version = $3 and checked_at <= now() - interval '10 seconds' returning id`,
  row: { id: column.id },
});

const verificationsMax = { inAll: 20, ofAccount: 2 };

/** Bounds the verifications that are under way. */
export function createVerificationPlaces() {
  const byAccount = new Map<string, number>();
  let inAll = 0;

  const enter = (accountId: string): void => {
    const own = byAccount.get(accountId) ?? 0;
    if (own >= verificationsMax.ofAccount || inAll >= verificationsMax.inAll)
      throw connectionErrors.too_many_verifications({ retryAfterSeconds: 5 });
    byAccount.set(accountId, own + 1);
    inAll += 1;
  };

  const leave = (accountId: string): void => {
    inAll -= 1;
    const left = byAccount.get(accountId)! - 1;
    if (left > 0) byAccount.set(accountId, left);
    else byAccount.delete(accountId);
  };

  return {
    /** Throws too_many_verifications. */
    async run<Result>(accountId: string, verify: () => Promise<Result>): Promise<Result> {
      enter(accountId);
      try {
        return await verify();
      } finally {
        leave(accountId);
      }
    },
  };
}

export type VerificationPlaces = ReturnType<typeof createVerificationPlaces>;
