// The fields of a credential and their values, for the forms that connect a provider and replace its key.
import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { PasswordField } from '../../../components/password-field.tsx';
import type { MailSender, MarketingTool } from '../../../trpc.ts';

/** An e-mail provider or a marketing tool. */
export interface Provider extends Pick<MailSender, 'provider' | 'name' | 'fields'> {
  /** The form may ask for another address of the API. */
  hasBaseUrl: boolean;
}

export const toolToProvider = (tool: MarketingTool): Provider => ({ ...tool, hasBaseUrl: true });

/** By the name of the field. A field that is left empty is not sent. */
export type CredentialValues = Readonly<Record<string, string>>;

export const credentialPaths = ({ fields }: Pick<Provider, 'fields'>): string[] => [
  ...fields.map(({ name }) => `credential.${name}`),
  'baseUrl',
];

export const credentialInput = (values: CredentialValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  );

interface CredentialFieldsProps {
  provider: Provider;
  values: CredentialValues;
  baseUrl: string;
  /** By path. */
  errors: Readonly<Record<string, string>>;
  onChange: (values: CredentialValues) => void;
  onBaseUrl: (baseUrl: string) => void;
}

/** The fields that a provider needs, from its own description. */
export function CredentialFields({
  provider,
  values,
  baseUrl,
  errors,
  onChange,
  onBaseUrl,
}: CredentialFieldsProps) {
  const [isOpen] = useState(baseUrl !== '');
  return (
    <>
      {provider.fields.map(({ name, label, placeholder, help, isSecret, isRequired, kind, choices }) => {
        const field = {
          label,
          description: help,
          error: errors[`credential.${name}`],
          required: isRequired,
          value: values[name] ?? '',
          autoComplete: 'off',
          spellCheck: false,
          onChange: (event: { currentTarget: { value: string } }) =>
            onChange({ ...values, [name]: event.currentTarget.value }),
        };
        if (isSecret) return <PasswordField key={name} {...field} placeholder={placeholder} />;
        if (kind === 'choice') return <NativeSelect key={name} {...field} data={['', ...choices]} />;
        return (
          <TextInput
            key={name}
            {...field}
            placeholder={placeholder}
            inputMode={kind === 'number' ? 'numeric' : undefined}
          />
        );
      })}
      {provider.hasBaseUrl ? (
        <details open={isOpen || errors['baseUrl'] !== undefined}>
          <Text component="summary" size="sm" c="dimmed" style={{ cursor: 'pointer', width: 'fit-content' }}>
            Another API address
          </Text>
          <TextInput
            mt="xs"
            label="API address"
            description={`Only for a region or a service that is compatible with ${provider.name}.`}
            placeholder="https://"
            error={errors['baseUrl']}
            value={baseUrl}
            autoComplete="off"
            onChange={(event) => onBaseUrl(event.currentTarget.value)}
          />
        </details>
      ) : null}
    </>
  );
}
