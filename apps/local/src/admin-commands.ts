import { resumeAccount, suspendAccount } from '@service/composition';
import { databaseTime } from '@service/database';
import { commonErrors } from '@service/errors';
import { createApiKey, CreateKeyInput, findKeyOwner, keyErrors, presets, revokeApiKey } from '@service/keys';
import { issuesOf } from '@service/trpc';
import { createWebinar, CreateWebinarInput, onceAt, publishWebinar } from '@service/webinars';
import { z } from 'zod';
import type { Admin } from './open-admin.ts';

type Values = Record<string, string | boolean | undefined>;

export interface AdminCommand {
  summary: string;
  /** A flag without a hint is a switch. */
  options: Record<string, { hint?: string; required?: boolean }>;
  run(admin: Admin, values: Values): Promise<unknown>;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;

export const adminCommands: Record<string, AdminCommand> = {
  'create-account': {
    summary: 'Makes a workspace with its owner. Prints {accountId, userId}.',
    options: {
      name: { hint: 'NAME', required: true },
      'owner-email': { hint: 'EMAIL', required: true },
      'owner-password': { hint: 'PASSWORD', required: true },
    },
    run: ({ accounts }, values) =>
      accounts.createAccount({
        name: String(values.name),
        ownerEmail: String(values['owner-email']),
        ownerPassword: String(values['owner-password']),
      }),
  },

  'create-key': {
    summary:
      'Makes an API key; give a preset or scopes. Prints {id, key, ...}; the key is shown only this once.',
    options: {
      account: { hint: 'ACCOUNT_ID', required: true },
      label: { hint: 'LABEL', required: true },
      preset: { hint: 'full|read' },
      scopes: { hint: 'a,b' },
      surfaces: { hint: 'rest,mcp' },
    },
    async run(admin, values) {
      const accountId = await requireAccount(admin, values.account);
      const input = parse(CreateKeyInput, { label: values.label, ...readGrants(values) });
      const { key, apiKey } = await admin.write(accountId, (tx) =>
        createApiKey(tx, { ...input, createdBy: { kind: 'operator' } }),
      );
      return { id: apiKey.id, key, label: apiKey.label, scopes: apiKey.scopes, surfaces: apiKey.surfaces };
    },
  },

  'revoke-key': {
    summary: 'Revokes an API key for good. Prints {id}.',
    options: { id: { hint: 'KEY_ID', required: true } },
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
      'Answers its keys with 403, makes its dashboard read-only and parks its deliveries; rooms stay open. Prints {accountId, suspendedAt}.',
    options: { account: { hint: 'ACCOUNT_ID', required: true } },
    async run(admin, values) {
      return admin.write(await requireAccount(admin, values.account), suspendAccount);
    },
  },

  'resume-account': {
    summary: 'Ends the suspension; waiting deliveries are sent. Prints {accountId, suspendedAt}.',
    options: { account: { hint: 'ACCOUNT_ID', required: true } },
    async run(admin, values) {
      return admin.write(await requireAccount(admin, values.account), resumeAccount);
    },
  },

  'create-webinar': {
    summary: 'Makes a webinar with one session, tomorrow unless told otherwise. Prints {id, sessionTime}.',
    options: {
      account: { hint: 'ACCOUNT_ID', required: true },
      title: { hint: 'TITLE', required: true },
      'starts-at': { hint: 'ISO_TIME' },
      publish: {},
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

/** The time given, on the next full minute as schedules have no seconds; tomorrow's next full hour when none is given. */
function readStart(value: Values[string]): Date {
  const nowMs = databaseTime().getTime();
  if (typeof value !== 'string') return new Date(Math.ceil((nowMs + 24 * hourMs) / hourMs) * hourMs);
  const parsed = z.iso.datetime({ offset: true }).safeParse(value);
  if (!parsed.success) throw new Error('--starts-at must be an ISO 8601 time, such as 2026-12-01T17:00:00Z.');
  const startsAt = new Date(Math.ceil(Date.parse(parsed.data) / minuteMs) * minuteMs);
  if (startsAt.getTime() <= nowMs) throw new Error('--starts-at must be in the future.');
  return startsAt;
}

/** A preset's grants, or the scopes and surfaces given; surfaces default to both. */
function readGrants(values: Values): { scopes: unknown; surfaces: unknown } {
  if (Boolean(values.preset) === Boolean(values.scopes)) throw new Error('Give either --preset or --scopes.');
  const preset = presets.find((known) => known.id === (values.preset ?? 'full'));
  if (!preset) throw new Error(`--preset must be one of ${presets.map((known) => known.id).join(', ')}.`);
  return {
    scopes: splitList(values.scopes) ?? preset.scopes,
    surfaces: splitList(values.surfaces) ?? preset.surfaces,
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
