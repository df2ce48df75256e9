import { Skeleton, Stack, Switch, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { RecordFormFrame } from '../../../record-form/record-form.tsx';
import { useRecordForm } from '../../../record-form/use-record-form.ts';
import {
  useTRPC,
  useTRPCClient,
  type Catalogue,
  type Connection,
  type MarketingTool,
} from '../../../trpc.ts';
import { useConnectionsChanged } from '../connections/connection-texts.ts';
import { MappingFields } from './mapping-fields.tsx';
import { PeopleFields, useWebinarChoices } from './people-fields.tsx';
import { SyncPreview } from './sync-preview.tsx';
import styles from './sync-section.module.css';
import {
  policies,
  useCatalogue,
  usePreview,
  useTool,
  withUnknown,
  type Choice,
  type SyncSettings,
} from './tools.ts';

interface SyncSectionProps {
  connection: Connection;
  isOwner: boolean;
}

/** "Keep every registrant in step": the settings, and the requests for the latest registrants. */
export function SyncSection({ connection, isOwner }: SyncSectionProps) {
  const { tool, error, refetch } = useTool(connection);
  if (error && !tool)
    return (
      <Section title="Keep every registrant in step" text="The settings cannot be shown.">
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </Section>
    );
  if (!tool || !connection.settings.sync) return <Skeleton height={420} aria-busy />;
  return <SyncForm connection={connection} tool={tool} saved={toRecord(connection)} isOwner={isOwner} />;
}

/** The record that is edited. Its version is compared when it is saved. */
type SyncRecord = SyncValues & Pick<Connection, 'id' | 'updatedAt'>;

const toRecord = ({ id, name, settings, updatedAt }: Connection): SyncRecord => {
  return { id, name, sync: settings.sync!, updatedAt };
};

interface SyncValues {
  name: string;
  sync: SyncSettings;
}

interface SyncFormProps extends SyncSectionProps {
  tool: MarketingTool;
  saved: SyncRecord;
}

function SyncForm({ connection, tool, saved, isOwner }: SyncFormProps) {
  const trpc = useTRPC();
  const { connections } = useTRPCClient();
  const queryClient = useQueryClient();
  const { id: connectionId } = connection;
  const changed = useConnectionsChanged();
  const record = useRecordForm({
    name: `connection:${connectionId}`,
    record: saved,
    valuesOf: (one: SyncRecord) => withAllFields(one, tool),
    fieldsOf: ({ name, sync }: SyncValues) => ({ name, ...sync }),
    whole: tool.values.map(({ name }) => fieldPath(name)),
    async save({ name, ...sync }, context) {
      const { data } = await connections.changeSync.mutate(
        { connectionId, ...(name !== undefined && { name: name.trim() }), sync },
        { context },
      );
      return { data: toRecord(data) };
    },
    onSaved({ name, sync }) {
      queryClient.setQueryData(
        trpc.connections.list.queryKey({}),
        (before) =>
          before && {
            data: before.data.map((one) =>
              one.id === connectionId ? { ...one, name, settings: { ...one.settings, sync } } : one,
            ),
          },
      );
      void changed();
    },
  });
  const { form, isDirty } = record;
  const { name, sync } = form.values;
  const usedKeys = Object.values(saved.sync.fields).map(({ key }) => key);
  const catalogue = useCatalogue(connection, usedKeys);
  const preview = usePreview(connectionId, sync);
  const webinars = useWebinarChoices(record.conflict !== undefined);
  const change = (values: Partial<SyncSettings>) =>
    form.setFieldValue('sync', { ...form.getValues().sync, ...values });
  const unsavedReason = isDirty ? 'Save or discard your changes first.' : undefined;
  const fields = (
    <fieldset className={styles['fields']} disabled={!isOwner}>
      <Stack gap="xl">
        <Switch
          label="Keep every registrant in step"
          description="Off: only rules update contacts."
          checked={sync.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <MappingFields
          connectionId={connectionId}
          tool={tool}
          sync={sync}
          catalogue={catalogue}
          people={preview.people}
          errors={form.errors}
          isOwner={isOwner}
          unsavedReason={unsavedReason}
          onChange={change}
        />
        <PeopleFields
          tool={tool}
          sync={sync}
          catalogue={catalogue.data}
          errors={form.errors}
          onChange={change}
        />
        <TextInput
          label="Name of the connection"
          maw={380}
          maxLength={100}
          autoComplete="off"
          error={form.errors['name']}
          value={name}
          onChange={(event) => form.setFieldValue('name', event.currentTarget.value)}
        />
      </Stack>
    </fieldset>
  );
  return (
    <>
      <Section
        title="Keep every registrant in step"
        text={`The values and tags that each registrant has at ${tool.name}, without a rule.${isOwner ? '' : ' Only owners change them.'}`}
      >
        {isOwner ? (
          <RecordFormFrame
            record={record}
            name="Keep every registrant in step"
            labels={labelsOf(tool)}
            describe={(path, value) => describe(path, value, { tool, catalogue: catalogue.data, webinars })}
            showsMessage={showsMessage}
          >
            {fields}
          </RecordFormFrame>
        ) : (
          fields
        )}
      </Section>
      <SyncPreview
        connection={connection}
        preview={preview}
        isOwner={isOwner}
        unsavedReason={unsavedReason}
      />
    </>
  );
}

const fieldPath = (name: string): string => `sync.fields.${name}`;

/** Values that are not sent are there too, because two edits are compared by the fields that the first record has. */
const withAllFields = ({ name, sync }: SyncValues, tool: MarketingTool): SyncValues => ({
  name,
  sync: {
    ...sync,
    fields: { ...Object.fromEntries(tool.values.map((value) => [value.name, undefined])), ...sync.fields },
  },
});

/** The names of fields, for the dialog about edits of two people. */
const labelsOf = ({ values, words }: MarketingTool): Record<string, string> => ({
  name: 'Name of the connection',
  'sync.enabled': 'Keep every registrant in step',
  ...Object.fromEntries(values.map(({ name, label }) => [fieldPath(name), label])),
  'sync.tags.prefix': 'Prefix of tags',
  'sync.tags.use': 'Tags',
  'sync.lists': `${words.list ?? 'List'}s`,
  'sync.webinarsLeftOut': 'Webinars left out',
  'sync.domainsLeftOut': 'Domains left out',
});

interface Names {
  tool: MarketingTool;
  catalogue: Catalogue | undefined;
  webinars: readonly Choice[];
}

/** The values of the dialog about edits of two people that are no texts. */
function describe(path: string, value: unknown, { tool, catalogue, webinars }: Names): string | undefined {
  if (path.startsWith(fieldPath(''))) {
    const mapping = value as SyncSettings['fields'][keyof SyncSettings['fields']];
    if (!mapping) return '“Not sent”';
    const field = catalogue?.fields.find(({ key }) => key === mapping.key);
    const policy = policies.find((one) => one.value === mapping.policy);
    return `“${field?.label ?? mapping.key}” (${policy?.label.toLowerCase()})`;
  }
  const listed = value as readonly string[];
  const namesOf = (nameOf: (entry: string) => string | undefined): string =>
    listed.length === 0 ? 'none' : listed.map((entry) => `“${nameOf(entry) ?? entry}”`).join(', ');
  if (path === 'sync.lists') return namesOf((id) => catalogue?.lists.find((list) => list.id === id)?.name);
  if (path === 'sync.tags.use') return namesOf((tag) => tool.tags.find(({ name }) => name === tag)?.text);
  if (path === 'sync.webinarsLeftOut')
    return namesOf((id) => withUnknown(webinars, listed).find((one) => one.value === id)?.label);
  return undefined;
}

/** True for the paths whose messages stand beside their fields. */
const showsMessage = (path: string): boolean =>
  path === 'name' ||
  /^sync\.fields\.\w+\.key$/.test(path) ||
  /^sync\.(tags\.prefix|lists|webinarsLeftOut|domainsLeftOut)/.test(path);
