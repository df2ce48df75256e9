import { allPresets, allScopes, allSurfaces } from '@service/catalogue';
import { resumeAccount, suspendAccount } from '@service/composition';
import type { CommandOption } from '@service/config';
import { databaseTime } from '@service/database';
import { commonErrors } from '@service/errors';
import { createApiKey, CreateKeyInput, findKeyOwner, keyErrors, revokeApiKey } from '@service/keys';
import { issuesOf } from '@service/trpc';
import { createWebinar, CreateWebinarInput, onceAt, publishWebinar } from '@service/webinars';
import { z } from 'zod';
import type { Admin } from './open-admin.ts';

type Values = Record<string, string | number | boolean | undefined>;

export interface AdminCommand {
  summary: string;
  options: Record<string, CommandOption>;
  run(admin: Admin, values: Values): Promise<unknown>;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;

export const adminCommands: Record<string, AdminCommand> = {
  'create-account': {
    summary: 'Creates a workspace with its owner. Prints {accountId, userId}.',
    options: {
      name: { type: 'text', hint: 'NAME', required: true },
      'owner-email': { type: 'text', hint: 'EMAIL', required: true },
      'owner-password': { type: 'text', hint: 'PASSWORD', required: true },
    },
    run: ({ accounts }, values) =>
      accounts.createAccount({
        name: String(values.name),
        ownerEmail: String(values['owner-email']),
        ownerPassword: String(values['owner-password']),
      }),
  },

  'create-key': {
    summary: `Creates an API key with a preset or scopes (${allScopes.join(', ')}). Prints {id, key, ...}; the key is shown only once.`,
    options: {
      account: { type: 'text', hint: 'ACCOUNT_ID', required: true },
      label: { type: 'text', hint: 'LABEL', required: true },
      preset: { type: 'text', hint: allPresets.join('|') },
      scopes: { type: 'text', hint: 'a,b' },
      surfaces: { type: 'text', hint: allSurfaces.join(',') },
    },
    async run(admin, values) {
      const accountId = await requireAccount(admin, values.account);
      const input = parse(CreateKeyInput, { label: values.label, ...readGrants(values) });
      const { key, apiKey } = await admin.write(accountId, (tx) =>
        createApiKey(tx, { ...input, createdBy: { kind: 'operator' } }),
      );
      const { id, label, preset, scopes, surfaces } = apiKey;
      return { id, key, label, preset, scopes, surfaces };
    },
  },

  'revoke-key': {
    summary: 'Revokes an API key. Prints {id}.',
    options: { id: { type: 'text', hint: 'KEY_ID', required: true } },
    async run({ database, write }, values) {
      const id = requireId(values.id, '--id');
      const accountId = await findKeyOwner(database.fork(), id);
      if (!accountId) throw keyErrors.api_key_not_found();
      await write(accountId, (tx) => revokeApiKey(tx, id));
      return { id };
    },
  },

  'suspend-account': {
    summary:
      'Refuses its keys with 403, makes its dashboard read-only and parks its deliveries; rooms stay open. Prints {accountId, suspendedAt}.',
    options: { account: { type: 'text', hint: 'ACCOUNT_ID', required: true } },
    async run(admin, values) {
      return admin.write(await requireAccount(admin, values.account), suspendAccount);
    },
  },

  'resume-account': {
    summary: 'Ends the suspension; waiting deliveries are sent. Prints {accountId, suspendedAt}.',
    options: { account: { type: 'text', hint: 'ACCOUNT_ID', required: true } },
    async run(admin, values) {
      return admin.write(await requireAccount(admin, values.account), resumeAccount);
    },
  },

  'create-webinar': {
    summary: 'Creates a webinar with one session, tomorrow by default. Prints {id, sessionTime}.',
    options: {
      account: { type: 'text', hint: 'ACCOUNT_ID', required: true },
      title: { type: 'text', hint: 'TITLE', required: true },
      'starts-at': { type: 'text', hint: 'ISO_TIME' },
      publish: { type: 'flag' },
    },
    async run(admin, values) {
      const accountId = await requireAccount(admin, values.account);
      const startsAt = readStart(values['starts-at']);
      const input = parse(CreateWebinarInput, {
        title: values.title,
        schedule: { recurrences: [onceAt(startsAt)] },
      });
      return admin.write(accountId, async (tx) => {
        const webinar = await createWebinar(tx, input);
        if (values.publish) await publishWebinar(tx, webinar.id);
        return { id: webinar.id, sessionTime: startsAt.toISOString() };
      });
    },
  },
};

/** The given time, rounded up to a minute because schedules have no seconds. By default the next full hour tomorrow. */
function readStart(value: Values[string]): Date {
  const nowMs = databaseTime().getTime();
  if (typeof value !== 'string') return new Date(Math.ceil((nowMs + 24 * hourMs) / hourMs) * hourMs);
  const parsed = z.iso.datetime({ offset: true }).safeParse(value);
  if (!parsed.success) throw new Error('--starts-at must be an ISO 8601 time, such as 2026-12-01T17:00:00Z.');
  const startsAt = new Date(Math.ceil(Date.parse(parsed.data) / minuteMs) * minuteMs);
  if (startsAt.getTime() <= nowMs) throw new Error('--starts-at must be in the future.');
  return startsAt;
}

/** A preset or scopes, on the given surfaces or on all. */
function readGrants({ preset, scopes, surfaces }: Values): object {
  if (Boolean(preset) === Boolean(scopes)) throw new Error('Give either --preset or --scopes.');
  return {
    preset: preset || undefined,
    scopes: splitList(scopes),
    surfaces: splitList(surfaces) ?? [...allSurfaces],
  };
}

const splitList = (value: Values[string]): string[] | undefined =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean)
    : undefined;

async function requireAccount({ accounts }: Admin, account: Values[string]): Promise<string> {
  const accountId = requireId(account, '--account');
  if (!(await accounts.accountExists(accountId))) throw new Error(`There is no account ${accountId}.`);
  return accountId;
}

function requireId(value: Values[string], flag: string): string {
  const parsed = z.uuid().safeParse(value);
  if (!parsed.success)
    throw new Error(`${flag} must be an id, such as 01a1fa00-44e8-743f-b362-6e80fc279e81.`);
  return parsed.data;
}

function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw commonErrors.validation_failed({ issues: issuesOf(parsed.error) });
  return parsed.data;
}
