import type { FieldText, MailSender } from '@service/mail-senders';
import type { MarketingProvider } from '@service/marketing-providers';
import { z } from 'zod';

/** A field of the form that asks for a credential. */
export const CredentialField = z.object({
  name: z.string(),
  label: z.string(),
  placeholder: z.string(),
  help: z.string(),
  isSecret: z.boolean(),
  isRequired: z.boolean(),
  kind: z.enum(['text', 'number', 'choice']),
  choices: z.array(z.string()),
});

export type CredentialField = z.output<typeof CredentialField>;

/** The fields of the credential of a sender or a marketing tool, in the order of its schema. */
export function credentialFields({
  id,
  credential,
}: Pick<MailSender | MarketingProvider, 'id' | 'credential'>): CredentialField[] {
  if (!(credential instanceof z.ZodObject)) throw new Error(`The credential of ${id} has no fields.`);
  return Object.entries(credential.shape as Record<string, z.ZodType>).map(([name, field]) => {
    const { type, enum: choices } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
    return {
      name,
      ...(field.meta() as unknown as FieldText),
      isRequired: !field.safeParse(undefined).success,
      kind: choices ? 'choice' : type === 'integer' || type === 'number' ? 'number' : 'text',
      choices: (choices ?? []).map(String),
    };
  });
}

/** The reports of a provider. */
export const ReportSetup = z.object({
  /** The page of the provider that takes our address, and the events to choose there. */
  setup: z.string(),
  /** The provider's secret that proves them. Null: the secret in our address does. */
  secret: CredentialField.pick({ label: true, placeholder: true, help: true }).nullable(),
});

/** Null for a sender without reports. */
export function reportSetup({ events }: MailSender): z.input<typeof ReportSetup> | null {
  if (!events) return null;
  return { setup: events.setup, secret: (events.secret?.meta() as FieldText | undefined) ?? null };
}
