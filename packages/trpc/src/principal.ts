import { allSurfaces, type Scope, type Surface } from '@service/catalogue';
import { z } from 'zod';

/** The surface of a key or of a call, in an input or an answer. */
export const SurfaceName = z
  .enum(allSurfaces)
  .meta({ id: 'Surface', description: 'The way a call comes in: `rest`, or `mcp` for AI tools.' });

/** The creator of an API key. The name of a member is kept, so that it can be read after the member has left. */
export const KeyCreatorOutput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('member'), id: z.uuid(), name: z.string() }),
  z.object({ kind: z.literal('operator') }),
  // For keys that are older than this field.
  z.object({ kind: z.literal('unknown') }),
]);

export type KeyCreator = z.infer<typeof KeyCreatorOutput>;

/** A program that calls with a credential of an account: an API key, or the grant of a connector. */
export interface ClientPrincipal {
  kind: 'key' | 'grant';
  accountId: string;
  credentialId: string;
  label: string;
  scopes: ReadonlySet<Scope>;
  /** The surfaces for which the credential is valid. */
  surfaces: readonly Surface[];
  /** The surface of this call. */
  surface: Surface;
  createdBy: KeyCreator;
  /** The end of an API key. Null: it has none, or the client has a grant. */
  expiresAt: Date | null;
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
export type Principal = ClientPrincipal | MemberPrincipal;

/** True for a member, and for a client with the scope. For answers that contain more for some clients. */
export const mayRead = (principal: Principal, scope: Scope): boolean =>
  principal.kind === 'member' || principal.scopes.has(scope);
