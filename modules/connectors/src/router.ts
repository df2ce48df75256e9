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
import { answerTo, isLocal, redirectHostOf } from './client/redirect-uri.ts';
import { approve, deny, type IsMember } from './grant/consent.ts';
import { revokeGrant } from './grant/end-grants.ts';
import { findEarlierAccess, listGrants } from './grant/list-grants.ts';
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
        .query(async ({ ctx: { now, principal, reader }, input }) => {
          const request = openRequest(input.request, { secretBox, now });
          const memberId = memberOf(principal).userId;
          const earlier = await findEarlierAccess(reader, { memberId, clientId: request.client.id });
          return { data: { ...requestToOutput(request), earlier } };
        }),

      /** Gives the client access to the workspace of the call. */
      approve: memberMutation()
        .input(ApproveInput)
        .output(dataOf(ConsentOutput))
        .mutation(async ({ ctx, input }) => {
          const request = openRequest(input.request, { secretBox, now: ctx.now });
          const { scopes, endsEarlier } = input;
          requireAsked(scopes, request);
          const member = memberOf(ctx.principal);
          const code = await ctx.transaction((tx) =>
            approve(tx, { request, scopes, member, endsEarlier }, { secretBox, isMember }),
          );
          return { data: { redirectTo: redirectOf(request, { code }) } };
        }),

      /** Refuses access. The list of grants shows it. */
      deny: memberMutation({ whileSuspended: true })
        .input(AuthorizationRequestInput)
        .output(dataOf(ConsentOutput))
        .mutation(async ({ ctx, input }) => {
          const request = openRequest(input.request, { secretBox, now: ctx.now });
          const member = memberOf(ctx.principal);
          await ctx.transaction((tx) => deny(tx, { request, member }));
          const denied = { error: 'access_denied', error_description: 'A member denied the request.' };
          return { data: { redirectTo: redirectOf(request, denied) } };
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
    issues: [{ path: 'scopes', message: 'The client did not ask for one of these scopes.' }],
  });
}

function requestToOutput({
  client,
  redirectUri,
  scopes,
  expiresAt,
}: AuthorizationRequest): Omit<z.input<typeof AuthorizationRequestOutput>, 'earlier'> {
  return {
    clientName: client.name,
    clientHost: client.host,
    redirectHost: redirectHostOf(redirectUri),
    isLocal: isLocal(redirectUri),
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
