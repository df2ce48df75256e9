import type { Scope, Surface } from '@service/catalogue';
import { z } from 'zod';

export type { Scope, Surface } from '@service/catalogue';

/** The creator of an API key. The name of a member is kept, so that it can be read after the member has left. */
export const KeyCreatorOutput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('member'), id: z.uuid(), name: z.string() }),
  z.object({ kind: z.literal('operator') }),
  // For keys that are older than this field.
  z.object({ kind: z.literal('unknown') }),
]);

export type KeyCreator = z.infer<typeof KeyCreatorOutput>;

/** An API key that is valid for the surface of the call. */
export interface KeyPrincipal {
  kind: 'key';
  accountId: string;
  keyId: string;
  label: string;
  scopes: ReadonlySet<Scope>;
  /** The surfaces for which the key is valid. */
  surfaces: readonly Surface[];
  /** The surface of this call. */
  surface: Surface;
  createdBy: KeyCreator;
}

/** A signed-in person in one of their workspaces. */
export interface MemberPrincipal {
  kind: 'member';
  accountId: string;
  userId: string;
  name: string;
  role: 'owner' | 'member';
}

/** The caller and their account. All permissions of a call depend on it. */
export type Principal = KeyPrincipal | MemberPrincipal;

/** The state of a rate limit in the current window. */
export interface RateState {
  limit: number;
  /** Never negative. */
  remaining: number;
  /** The end of the window by the database's clock, in Unix seconds. */
  resetsAt: number;
  /** Set when this request exceeds the limit: the seconds until the end of the window, at least 1. */
  retryAfterSeconds: number | undefined;
}

/** A request with a valid key, counted in the window of its account. */
export interface Admission {
  principal: KeyPrincipal;
  rate: RateState;
  /** The time of the request by the database's clock. It becomes `ctx.now`. */
  now: Date;
  /** An operator has suspended the account. */
  isSuspended: boolean;
}
