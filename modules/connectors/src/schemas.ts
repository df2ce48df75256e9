import { allScopes } from '@service/catalogue';
import { id, instant } from '@service/trpc';
import { z } from 'zod';

const scope = z.enum(allScopes);

/** `request` is the parameter of the consent page. It is opaque, and valid for 10 minutes. */
const request = z.string().min(1).max(12_000);

export const AuthorizationRequestInput = z.strictObject({ request });

export const AuthorizationRequestOutput = z.object({
  clientName: z.string(),
  /** The host that publishes the client's metadata. Null for a registered client, whose name is only its own claim. */
  clientHost: z.string().nullable(),
  /** The receiver of the answer: `claude.ai`, `localhost`, or the scheme of an application, such as `cursor:`. */
  redirectHost: z.string(),
  /** The answer goes to a program on the member's computer. Any program there can receive it. */
  isLocal: z.boolean(),
  /** The scopes that the client asks for. The member may approve fewer, but no others. */
  scopes: z.array(scope),
  expiresAt: instant(),
  /** The access that the member gave to the same client before, in the workspace of the call. */
  earlier: z.object({ connections: z.number().int(), lastUsedAt: instant().nullable() }),
});

export const ApproveInput = z.strictObject({
  request,
  scopes: z.array(scope).min(1, 'Choose at least one scope.'),
  /** Ends the access that the member gave to the same client before. */
  endsEarlier: z.boolean().default(false),
});

/** The URL that the browser must open next. It brings the outcome to the client. */
export const ConsentOutput = z.object({ redirectTo: z.string() });

export const RevokeGrantInput = z.strictObject({ id: id('grant') });

/** Reasons for the end of a grant before its time. `denied`: it never began. `replaced`: the same member allowed the client again. */
export const endReasons = [
  'denied',
  'revoked',
  'replaced',
  'member_removed',
  'code_reused',
  'refresh_token_reused',
] as const;

export type EndReason = (typeof endReasons)[number];

/** `not_connected`: the client has not exchanged its code. Then `active`, or the reason for the end. */
const grantStates = ['not_connected', 'active', 'expired', ...endReasons] as const;

export const GrantOutput = z.object({
  id: z.uuid(),
  clientName: z.string(),
  clientHost: z.string().nullable(),
  redirectHost: z.string(),
  scopes: z.array(scope),
  /** Allowed or denied the access. */
  member: z.object({ id: z.uuid(), name: z.string() }),
  createdAt: instant(),
  /** Unless the client refreshes its tokens before. Null after the end. */
  expiresAt: instant().nullable(),
  endedAt: instant().nullable(),
  state: z.enum(grantStates),
  lastUsedAt: instant().nullable(),
  requests: z.number().int(),
});
