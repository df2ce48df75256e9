// Every user who signs up or signs in has a workspace. better-auth calls these hooks before it writes a user or a session.
import { type GenericEndpointContext, getCurrentAdapter } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { z } from 'zod';
import { createWorkspace } from './create-workspace.ts';
import { personName, workspaceName } from './schemas.ts';

type EndpointContext = GenericEndpointContext | null;

/** Refuses a blank or too long name, and removes the URL of a picture. */
export async function checkNewUser(user: { name: string }) {
  return { data: { name: parsed(personName, 'name', user.name), image: null } };
}

/**
 * Creates a workspace for a user without one: at sign-up, and at a sign-in after leaving the last workspace. At sign-up it runs
 * in the transaction that creates the user.
 */
export async function ensureWorkspace(session: { userId: string }, ctx: EndpointContext): Promise<void> {
  if (!ctx) return;
  const adapter = await getCurrentAdapter(ctx.context.adapter);
  const { userId } = session;
  const memberships = await adapter.count({ model: 'member', where: [{ field: 'userId', value: userId }] });
  if (memberships > 0) return;
  const user = await adapter.findOne<{ name: string }>({
    model: 'user',
    where: [{ field: 'id', value: userId }],
  });
  const wanted =
    ctx.path === '/sign-up/email' ? (ctx.body as { workspaceName?: unknown }).workspaceName : undefined;
  const name =
    wanted === undefined
      ? `${user?.name ?? 'My'}’s workspace`
      : parsed(workspaceName, 'workspaceName', wanted);
  await createWorkspace(adapter, { name, ownerId: userId });
}

function parsed(schema: z.ZodType<string>, field: string, value: unknown): string {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const message = result.error.issues[0]?.message ?? 'Not a text.';
  throw new APIError('UNPROCESSABLE_ENTITY', {
    code: 'VALIDATION_ERROR',
    message: `[body.${field}] ${message}`,
  });
}
