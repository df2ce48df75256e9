import type { Scope } from '@service/catalogue';
import { commonErrors } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import {
  dataOf,
  memberMutation,
  memberQuery,
  router,
  type MemberPrincipal,
  type Principal,
} from '@service/trpc';
import { z } from 'zod';
import type { Addresses } from './addresses.ts';
import { openRequest, type AuthorizationRequest } from './authorize/sealed-request.ts';
import { answerTo, isLoopback, redirectHostOf } from './client/redirect-uri.ts';
import { approve, type IsMember } from './grant/approve.ts';
import { revokeGrant } from './grant/end-grants.ts';
import { listGrants } from './grant/list-grants.ts';
import {
  ApproveInput,
  AuthorizationRequestInput,
  AuthorizationRequestOutput,
  ConsentOutput,
  GrantOutput,
  RevokeGrantInput,
} from './schemas.ts';

interface RouterParts {
  secretBox: SecretBox;
  addresses: Addresses;
  isMember: IsMember;
}

/** The consent page, and the list of grants. Only members in the dashboard call them. */
export function createConnectorsRouter({ secretBox, addresses, isMember }: RouterParts) {
  /** The answer to the client. `iss` shows it which server answers (RFC 9207). */
  const redirectOf = (
    { redirectUri, state }: AuthorizationRequest,
    outcome: Record<string, string>,
  ): string => answerTo(redirectUri, { ...outcome, state, iss: addresses.issuer });

  return {
    connectors: router({
      /** The request that a member decides about. */
      request: memberQuery()
        .input(AuthorizationRequestInput)
        .output(dataOf(AuthorizationRequestOutput))
        .query(({ ctx: { now }, input }) => ({
          data: requestToOutput(openRequest(input.request, { secretBox, now })),
        })),

      /** Gives the client access to the workspace of the call. */
      approve: memberMutation()
        .input(ApproveInput)
        .output(dataOf(ConsentOutput))
        .mutation(async ({ ctx, input }) => {
          const request = openRequest(input.request, { secretBox, now: ctx.now });
          requireAsked(input.scopes, request);
          const member = memberOf(ctx.principal);
          const code = await ctx.transaction((tx) =>
            approve(tx, { request, scopes: input.scopes, member }, { secretBox, isMember }),
          );
          return { data: { redirectTo: redirectOf(request, { code }) } };
        }),

      /** Refuses access. Nothing is stored. */
      deny: memberMutation({ whileSuspended: true })
        .input(AuthorizationRequestInput)
        .output(dataOf(ConsentOutput))
        .mutation(async ({ ctx: { now }, input }) => {
          const request = openRequest(input.request, { secretBox, now });
          return { data: { redirectTo: redirectOf(request, { error: 'access_denied' }) } };
        }),
    }),

    grants: router({
      /** Owners read the grants of all members, other members their own. */
      list: memberQuery()
        .output(dataOf(z.array(GrantOutput)))
        .query(async ({ ctx: { principal, reader } }) => ({
          data: await listGrants(reader, ownOnly(principal)),
        })),

      revoke: memberMutation({ whileSuspended: true })
        .input(RevokeGrantInput)
        .output(dataOf(RevokeGrantInput))
        .mutation(async ({ ctx, input }) => {
          const memberId = ownOnly(ctx.principal);
          await ctx.transaction((tx) => revokeGrant(tx, { id: input.id, memberId }));
          return { data: input };
        }),
    }),
  };
}

/** Throws validation_failed for a scope that the client did not ask for. */
function requireAsked(scopes: readonly Scope[], { scopes: asked }: AuthorizationRequest): void {
  if (scopes.every((scope) => asked.includes(scope))) return;
  throw commonErrors.validation_failed({
    issues: [{ path: 'scopes', message: 'The application did not ask for one of these scopes.' }],
  });
}

function requestToOutput({
  client,
  redirectUri,
  scopes,
  expiresAt,
}: AuthorizationRequest): z.input<typeof AuthorizationRequestOutput> {
  return {
    clientName: client.name,
    clientHost: client.host,
    redirectHost: redirectHostOf(redirectUri),
    isLoopback: isLoopback(new URL(redirectUri)),
    scopes,
    expiresAt: expiresAt.toISOString(),
  };
}

function memberOf(principal: Principal): MemberPrincipal {
  if (principal.kind !== 'member') throw commonErrors.sign_in_required();
  return principal;
}

/** The member whose grants the caller may see and revoke. Undefined for an owner, who may see and revoke all. */
function ownOnly(principal: Principal): string | undefined {
  const { role, userId } = memberOf(principal);
  return role === 'owner' ? undefined : userId;
}
