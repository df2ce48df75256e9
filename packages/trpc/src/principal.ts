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
  surface: Surface;
}

/** A signed-in person acting in one workspace they belong to. */
export interface MemberPrincipal {
  kind: 'member';
  accountId: string;
  userId: string;
  role: 'owner' | 'member';
}

/** Who is calling, and for which account. Everything a caller may do follows from it. */
export type Principal = KeyPrincipal | MemberPrincipal;
