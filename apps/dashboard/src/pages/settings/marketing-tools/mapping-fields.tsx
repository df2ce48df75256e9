import { Button, Checkbox, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconRefresh } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import type { FormErrors } from '@mantine/form';
import { useState, type ReactNode } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { SearchSelect } from '../../../components/search-select.tsx';
import { useTRPCClient, type Catalogue, type MarketingTool } from '../../../trpc.ts';
import { useConnectionsChanged } from '../connections/connection-texts.ts';
import styles from './sync-section.module.css';
import { fieldLabel, policies, type CatalogueState, type Preview, type SyncSettings } from './tools.ts';

type Value = MarketingTool['values'][number];
type Mapping = NonNullable<SyncSettings['fields'][Value['name']]>;

interface MappingFieldsProps {
  connectionId: string;
  tool: MarketingTool;
  sync: SyncSettings;
  catalogue: CatalogueState;
  people: Preview['people'];
  /** By path. */
  errors: FormErrors;
  isOwner: boolean;
  /** Why nothing else can be done before the settings are saved. */
  unsavedReason: string | undefined;
  onChange: (change: Partial<SyncSettings>) => void;
}

/** A line for each value of ours with the field of the tool, and the tags. */
export function MappingFields(props: MappingFieldsProps) {
  const { tool, sync, catalogue, people, errors, isOwner, onChange } = props;
  const noun = tool.words.field.toLowerCase();
  return (
    <div>
      <Title order={3}>Values</Title>
      <Text size="sm" c="dimmed" mb={8}>
        {isOwner ? `Choose the ${noun} that gets each value.` : `Each value goes into the ${noun} beside it.`}{' '}
        Values without one are not sent.
      </Text>
      <ul className={styles['rows']} aria-label="Values">
        <li className={`${styles['row']} ${styles['heads']}`} aria-hidden>
          <span>Value</span>
          <span>
            {tool.words.field} at {tool.name}
          </span>
          <span>Sent</span>
        </li>
        {tool.values.map((value) => (
          <MappingLine
            key={value.name}
            value={value}
            tool={tool}
            mapping={sync.fields[value.name]}
            fields={catalogue.data?.fields}
            sample={sampleOf(value.name, people)}
            error={errors[`sync.fields.${value.name}.key`]}
            onChange={(mapping) => {
              const { [value.name]: _, ...others } = sync.fields;
              onChange({ fields: mapping ? { ...sync.fields, [value.name]: mapping } : others });
            }}
          />
        ))}
      </ul>
      <Group gap="sm" mt="sm">
        {isOwner ? (
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} />}
            loading={catalogue.isReading}
            onClick={catalogue.readAgain}
          >
            Read {tool.name} again
          </Button>
        ) : null}
        {isOwner && tool.makesFields ? <CreateFields {...props} /> : null}
        {catalogue.data ? (
          <Text size="xs" c="dimmed" role="status">
            Read <RelativeTime at={catalogue.data.readAt} />.
          </Text>
        ) : null}
      </Group>
      {catalogue.error ? (
        <div style={{ marginTop: 12 }}>
          <FailureNotice error={catalogue.error} onRetry={catalogue.readAgain} />
        </div>
      ) : null}
      {tool.tags.length > 0 ? <TagFields {...props} /> : null}
    </div>
  );
}

interface Sample {
  name: string;
  value: string | number | boolean;
}

/** The value of the latest registrant who has one. Null: none of the latest has one. Undefined: not known yet. */
function sampleOf(name: Value['name'], people: Preview['people']): Sample | null | undefined {
  if (!people) return undefined;
  const person = people.find(({ values }) => values[name] !== undefined);
  return person ? { name: person.name, value: person.values[name]! } : null;
}

interface MappingLineProps {
  value: Value;
  tool: MarketingTool;
  mapping: Mapping | undefined;
  /** Undefined: the tool was not read. */
  fields: Catalogue['fields'] | undefined;
  sample: Sample | null | undefined;
  error: ReactNode;
  onChange: (mapping: Mapping | undefined) => void;
}

function MappingLine({ value, tool, mapping, fields, sample, error, onChange }: MappingLineProps) {
  const [searched, setSearched] = useState('');
  const text =
    sample === undefined
      ? ''
      : sample === null
        ? 'No registrant has one yet.'
        : `${sample.name}: ${String(sample.value)}`;
  return (
    <li className={styles['row']}>
      <div className={styles['value']}>
        {value.label}
        <div className={styles['sample']} title={text}>
          {text}
        </div>
      </div>
      <SearchSelect
        aria-label={`${value.label}: ${tool.words.field.toLowerCase()} at ${tool.name}`}
        placeholder="Not sent"
        clearable
        limit={200}
        data={choicesOf({ value, tool, fields, chosen: mapping?.key, searched: searched.trim() })}
        value={mapping?.key ?? null}
        nothingFoundMessage={fields ? 'No field that takes it' : 'The tool was not read'}
        error={error}
        onSearchChange={setSearched}
        onChange={(key) => onChange(key === null ? undefined : { policy: 'always', ...mapping, key })}
      />
      {mapping ? (
        <Select
          aria-label={`${value.label}: when it is sent`}
          data={policies}
          value={mapping.policy}
          allowDeselect={false}
          onChange={(policy) => {
            if (policy) onChange({ ...mapping, policy });
          }}
        />
      ) : null}
    </li>
  );
}

interface Choices extends Pick<MappingLineProps, 'value' | 'tool' | 'fields'> {
  chosen: string | undefined;
  searched: string;
}

/** The fields that take the value, and the chosen one. A tool that makes fields by itself also has new ones. */
function choicesOf({ value, tool, fields, chosen, searched }: Choices): { value: string; label: string }[] {
  const known = fields ?? [];
  const fitting = known
    .filter(({ takes }) => takes.includes(value.name))
    .map((field) => ({ value: field.key, label: fieldLabel(field) }));
  const choices = [...fitting];
  const add = (key: string, label: string) => {
    if (key !== '' && !choices.some((choice) => choice.value === key || choice.label === key))
      choices.push({ value: key, label });
  };
  const own = known.find(({ key }) => key === chosen);
  if (chosen !== undefined)
    add(
      chosen,
      own
        ? `${fieldLabel(own)}, does not fit`
        : fields && !tool.takesNewFields
          ? `${chosen} (not found)`
          : chosen,
    );
  if (tool.takesNewFields && fields) {
    for (const key of [value.label, searched])
      if (!known.some((field) => field.key === key || field.label === key)) add(key, `${key} (new)`);
  }
  return choices;
}

/** Makes the fields that the tool does not have, and saves their lines. */
function CreateFields({ connectionId, tool, sync, unsavedReason }: MappingFieldsProps) {
  const { connections } = useTRPCClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => connections.createFields.mutate({ connectionId }),
    onSettled: useConnectionsChanged(),
  });
  const missing = tool.values.filter(({ name }) => !sync.fields[name]);
  if (missing.length === 0 && !error) return null;
  return (
    <>
      {error ? <FailureNotice error={error} /> : null}
      <GuardedButton variant="default" loading={isPending} reason={unsavedReason} onClick={() => mutate()}>
        Create the missing fields for me
      </GuardedButton>
    </>
  );
}

/** Tags of people, with the prefix of their names. */
function TagFields({ tool, sync, errors, onChange }: MappingFieldsProps) {
  const { prefix, use } = sync.tags;
  return (
    <Stack gap="sm" mt="xl">
      <div>
        <Title order={3}>Tags</Title>
        <Text size="sm" c="dimmed">
          Added and removed as they become true. Other tags are never changed.
        </Text>
      </div>
      <TextInput
        label="Prefix"
        description="Begins the name of every tag."
        maw={380}
        maxLength={50}
        autoComplete="off"
        error={errors['sync.tags.prefix']}
        value={prefix}
        onChange={(event) => onChange({ tags: { use, prefix: event.currentTarget.value } })}
      />
      <div className={styles['tags']} role="group" aria-label="Tags">
        {tool.tags.map(({ name, text }) => (
          <Checkbox
            key={name}
            label={`${prefix}${text}`}
            checked={use.includes(name)}
            onChange={(event) =>
              onChange({
                tags: {
                  prefix,
                  use: event.currentTarget.checked ? [...use, name] : use.filter((one) => one !== name),
                },
              })
            }
          />
        ))}
      </div>
    </Stack>
  );
}
