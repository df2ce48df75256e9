import type { KeyCreator } from './key-creator.ts';

/** A permission of an API key, such as `webinars:read`. Read and write are separate; neither implies the other. */
export type Scope = `${string}:${'read' | 'write'}`;

/** The door a call came through. A key says which of `rest` and `mcp` it may use. */
export type Surface = 'rest' | 'mcp';

/** An API key, already known to allow the surface it was used on. */
export interface KeyPrincipal {
  kind: 'key';
  accountId: string;
  keyId: string;
  label: string;
  scopes: ReadonlySet<Scope>;
  /** Where the key may be used. */
  surfaces: readonly Surface[];
  /** Where it is being used. */
  surface: Surface;
  createdBy: KeyCreator;
}

/** A signed-in person acting in one workspace they belong to. */
export interface MemberPrincipal {
  kind: 'member';
  accountId: string;
  userId: string;
  name: string;
  role: 'owner' | 'member';
}

/** Who is calling, and for which account. Everything a caller may do follows from it. */
export type Principal = KeyPrincipal | MemberPrincipal;

/** The requests an account has in the current window, over all its keys and surfaces. */
export interface RateState {
  limit: number;
  /** Never negative. */
  remaining: number;
  /** When the window ends, Unix seconds by the database's clock. */
  resetsAt: number;
  /** Seconds until then, at least 1, when this request is one too many; undefined when it may go on. */
  retryAfterSeconds: number | undefined;
}

/** A request whose key may do what it asks for, counted in its account's window. */
export interface Admission {
  principal: KeyPrincipal;
  rate: RateState;
  /** The time of the request, by the database's clock: the one `ctx.now`. */
  now: Date;
  /** An operator has suspended the account. */
  isSuspended: boolean;
}
