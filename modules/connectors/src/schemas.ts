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
  isLoopback: z.boolean(),
  /** The scopes that the client asks for. The member may approve fewer, but no others. */
  scopes: z.array(scope),
  expiresAt: instant(),
});

export const ApproveInput = z.strictObject({
  request,
  scopes: z.array(scope).min(1, 'Choose at least one scope.'),
});

/** The URL that the browser must open next. It brings the outcome to the client. */
export const ConsentOutput = z.object({ redirectTo: z.string() });

export const RevokeGrantInput = z.strictObject({ id: id('grant') });

/** `active`, or the reason for its end. */
export const grantStates = [
  'active',
  'expired',
  'revoked',
  'member_removed',
  'code_reused',
  'refresh_token_reused',
] as const;

export const GrantOutput = z.object({
  id: z.uuid(),
  clientName: z.string(),
  clientHost: z.string().nullable(),
  redirectHost: z.string(),
  scopes: z.array(scope),
  grantedBy: z.object({ id: z.uuid(), name: z.string() }),
  createdAt: instant(),
  /** Unless the client refreshes its tokens before. Null after the end. */
  expiresAt: instant().nullable(),
  endedAt: instant().nullable(),
  state: z.enum(grantStates),
  lastUsedAt: instant().nullable(),
  requests: z.number().int(),
});
