import type { ChangedOrEverything } from '@service/changes';
import { id, instant, moment, pageInput, SurfaceName, text, timezone } from '@service/trpc';
import { urlText } from '@service/trpc/fields';
import { z } from 'zod';

const roles = ['owner', 'member'] as const;
export type Role = (typeof roles)[number];

/** NIST SP 800-63B requires at least 8 characters and support for 64. More than 128 would only cost time. */
export const passwordLength = { min: 8, max: 128 };

const role = z.enum(roles);
const email = z.string().trim().max(254).toLowerCase().pipe(z.email('Not an e-mail address.'));
const password = z
  .string()
  .min(passwordLength.min, `At least ${passwordLength.min} characters.`)
  .max(passwordLength.max, `At most ${passwordLength.max} characters.`);

export const personName = text(100);
export const workspaceName = text(100);

export const NewAccountInput = z.strictObject({
  name: workspaceName,
  ownerEmail: email,
  ownerPassword: password,
  ownerName: personName.optional(),
});

export const NewMemberInput = z.strictObject({
  accountId: id('workspace'),
  email,
  password,
  name: personName.optional(),
  role,
});

export interface EmailOnly {
  email: string;
}

/** The token of a link in a mail: 32 bytes in base64url. */
const token = z.string().regex(/^[\w-]{43}$/, 'Not the whole link.');

export const ResetRequestInput = z.object({ email });
export const ResetInput = z.object({ token, newPassword: password });
export const LinkInput = z.object({ token });
export const ConfirmSignUpInput = z.object({ token, password: z.string().max(passwordLength.max) });

/** A sign-up of an installation with a mail server. */
export const SignUpInput = z.object({
  name: personName,
  email,
  password,
  workspaceName: workspaceName.optional(),
  invitationId: id('invitation').optional().catch(undefined),
});

export const RenameInput = z.strictObject({ name: workspaceName });
export const TimeZoneInput = z.strictObject({ timeZone: timezone });
/** The branding of the pages that attendees see. */
export const BrandingInput = z.strictObject({
  color: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'Must be a colour such as #1a73e8.')
    .nullable(),
  // https only: a picture over http is not shown on a page over https.
  logoUrl: urlText()
    .pipe(z.url({ protocol: /^https$/, error: 'Must be an https URL.' }))
    .nullable(),
});
export const InviteInput = z.strictObject({ email, role });
export const InvitationInput = z.strictObject({ invitationId: id('invitation') });
export const MemberInput = z.strictObject({ userId: id('user') });
export const RemoveMemberInput = MemberInput.extend({
  /** The API keys that the member made are revoked too. */
  revokesKeys: z.boolean().default(false),
});
/** It names the workspace, so that a page of another one cannot end the membership. */
export const LeaveInput = z.strictObject({ workspaceId: id('workspace') });
export const SetRoleInput = MemberInput.extend({ role });

export const WorkspaceOutput = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  timeZone: z.string().describe('IANA time zone in which days of reports are counted.'),
  createdAt: instant(),
  suspendedAt: instant().nullable().describe('Null unless an operator has suspended the workspace.'),
});

export const MemberOutput = z.object({
  userId: z.uuid(),
  name: z.string(),
  email: z.string(),
  role,
  joinedAt: instant(),
});

export const InvitationOutput = z.object({
  id: z.uuid(),
  email: z.string(),
  role,
  createdAt: instant(),
  expiresAt: instant(),
  path: z.string().describe('The path of the invitation, below the base URL.'),
});

export const NewInvitationOutput = InvitationOutput.extend({
  isMailed: z.boolean().describe('True if the link is sent to the address by e-mail.'),
});

export type InvitationOutput = z.infer<typeof InvitationOutput>;
export type MemberOutput = z.infer<typeof MemberOutput>;
export type WorkspaceOutput = z.infer<typeof WorkspaceOutput>;

const MyKeyOutput = z
  .object({
    id: id('key'),
    label: z.string().describe('The name that a member gave the key.'),
    scopes: z.array(z.string()).describe('The permissions of the key, such as `webinars:read`.'),
    surfaces: z.array(SurfaceName).describe('The surfaces for which the key is valid.'),
    expiresAt: instant()
      .nullable()
      .describe('The key is refused from this time on. Null if the key has no end.'),
  })
  .meta({ id: 'MyKey' });

export const MeOutput = z
  .object({
    account: z
      .object({
        id: id('account'),
        name: z.string().describe('The name of the workspace.'),
        timeZone: z.string().describe('IANA time zone in which days of reports are counted.'),
      })
      .meta({ id: 'MyAccount', description: 'The workspace that the key belongs to.' }),
    key: MyKeyOutput.nullable().describe('Null for a signed-in person.'),
  })
  .meta({ id: 'Me' });

export const EndSessionInput = z.strictObject({ sessionId: id('sign-in session') });

export const OwnSessionOutput = z.object({
  id: z.uuid(),
  createdAt: instant(),
  /** Of the network at the sign-in. */
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** The session of this call. */
  isCurrent: z.boolean(),
});

export type OwnSessionOutput = z.infer<typeof OwnSessionOutput>;

/**
 * `stopped`: webhooks are paused, or a connection fails. `failed`: deliveries have failed for good, once a day. `weekly`: the numbers of
 * last week, on Mondays.
 */
const notificationKind = z.enum(['stopped', 'failed', 'weekly']);
export type NotificationKind = z.infer<typeof notificationKind>;
export const NotificationsOutput = z.record(notificationKind, z.boolean());
export type NotificationsOutput = z.infer<typeof NotificationsOutput>;
export const NotificationInput = z.strictObject({ kind: notificationKind, isOn: z.boolean() });

export const ListChangesInput = z.strictObject({ ...pageInput, memberId: id('member').optional() });

export const ChangeAuthorInput = z.strictObject({ recordId: id('record'), at: moment });

/** The name is that at the time of the change. Null: no member made it. */
export const ChangeAuthorOutput = z.object({ memberId: z.uuid(), memberName: z.string() }).nullable();

export const MemberChangeOutput = z.object({
  id: z.uuid(),
  at: instant(),
  memberId: z.uuid(),
  /** The name at that time. */
  memberName: z.string(),
  /** The name of the procedure, such as `webinars.update`. */
  procedure: z.string(),
  /** The title, label or name of the changed record. */
  subject: z.string().nullable(),
  /** The ids that were given, by the names of their fields. */
  records: z.array(z.object({ field: z.string(), id: z.string() })),
  /** The names of the other given fields, without their values. */
  fields: z.array(z.string()),
});

export type MemberChangeOutput = z.infer<typeof MemberChangeOutput>;

/** A day. The changes of a longer time are not known. */
const ageMax = 86_400_000;

export const StreamInput = z.object({
  /** Milliseconds since the page began to read its records. */
  ageMs: z.number().int().min(0).max(ageMax).default(0),
  /** The id of the last message. The browser sends it when it connects again. */
  lastEventId: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
});

export type StreamInput = z.output<typeof StreamInput>;

/**
 * `changed` lists topics whose records the page must read again. `ended` is the last message: `access` when the sign-in session
 * or the membership has ended, `replaced` when the member opened too many streams, `restart` when the process stops.
 */
export type StreamMessage = { changed: ChangedOrEverything } | { ended: 'access' | 'replaced' | 'restart' };
