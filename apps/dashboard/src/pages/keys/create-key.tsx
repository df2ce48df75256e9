import { Group, Text } from '@mantine/core';
import type { Scope, Surface } from '@service/catalogue';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import type { CreatedApiKey } from '../../trpc.ts';
import { KeyForm } from './key-form.tsx';

interface CreateKeyProps {
  created: CreatedApiKey | undefined;
  onCreated: (created: CreatedApiKey) => void;
  /** The new key is stored. */
  onStored: () => void;
  onCancel: () => void;
}

/** The form, then the new key. One file, so that the key never waits for another one. */
export const CreateKey = ({ created, onStored, ...props }: CreateKeyProps) =>
  created ? <NewKeyPanel created={created} onDone={onStored} /> : <KeyForm {...props} />;

/** A new key with a first call. */
function NewKeyPanel({ created, onDone }: { created: CreatedApiKey; onDone: () => void }) {
  const curl = firstCall(created, window.location.origin);
  return (
    <ShownOnce
      noun="key"
      advice="Store it in your secret manager now. The service stores only its hash and cannot show it again."
      name={created.label}
      text={created.key}
      label="The full key"
      testId="new-key"
      onDone={onDone}
    >
      {curl ? (
        <div>
          <Group justify="space-between" mb={6}>
            <Text size="sm" fw={550}>
              Try it
            </Text>
            <CopyButton text={curl} label="Copy curl" />
          </Group>
          <CodeBlock text={curl} label="A curl command with the key" testId="new-key-curl" />
        </div>
      ) : (
        <Text size="sm" c="dimmed">
          This key is for AI tools only: enter it in your MCP client as a bearer token. The REST API refuses
          it.
        </Text>
      )}
    </ShownOnce>
  );
}

interface NewKey {
  key: string;
  scopes: readonly Scope[];
  surfaces: readonly Surface[];
}

/** A curl command with this key. Null for a key without the REST surface. */
function firstCall({ key, scopes, surfaces }: NewKey, origin: string): string | null {
  if (!surfaces.includes('rest')) return null;
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  if (scopes.includes('webinars:read')) return `curl ${origin}/api/v1/webinars ${authorization}`;
  const readable = ['registrations', 'sessions'].find((resource) =>
    scopes.some((scope) => scope === `${resource}:read`),
  );
  if (readable) return `curl ${origin}/api/v1/webinars/WEBINAR_ID/${readable} ${authorization}`;
  if (scopes.includes('automations:read'))
    return `curl ${origin}/api/v1/webinars/WEBINAR_ID/webhooks ${authorization}`;
  if (!scopes.includes('registrations:write')) return `curl ${origin}/api/v1/ ${authorization}`;
  const body = '{"name":"Ada Lindqvist","email":"ada@example.com","sessionTime":"SESSION_TIME"}';
  return `curl ${origin}/api/v1/webinars/WEBINAR_ID/registrations ${authorization} -H 'Content-Type: application/json' -d '${body}'`;
}
