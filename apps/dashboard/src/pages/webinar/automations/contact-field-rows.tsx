import '../../../components/choices.css';
import { ActionIcon, Button, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@service/icons';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { SearchSelect } from '../../../components/search-select.tsx';
import type { Catalogue, MarketingTool } from '../../../trpc.ts';
import rowStyles from '../../../components/field-rows.module.css';
import { fieldLabel, policies } from '../../settings/marketing-tools/tools.ts';
import { isBlank, type IntegrationValues } from './rule-values.ts';

type ContactField = IntegrationValues['fields'][number];
type ToolField = Catalogue['fields'][number];
type Source = NonNullable<ContactField['from']>;

/** The values of an attendee. */
export const sourceLabels: Record<Source, string> = {
  name: 'Name',
  first_name: 'First name',
  last_name: 'Last name',
  phone: 'Phone',
  webinar_title: 'Webinar title',
  session_starts_at: 'Start of the session',
  registered_at: 'Time of registration',
  watched_percent: 'Watched percent',
  watched_minutes: 'Watched minutes',
  utm_source: 'utm_source',
  utm_medium: 'utm_medium',
  utm_campaign: 'utm_campaign',
};

/** In the list of sources: the rule has the value, and it is the same for everybody. */
const constant = 'constant';

const sourceChoices = [
  ...Object.entries(sourceLabels).map(([value, label]) => ({ value, label })),
  { value: constant, label: 'A fixed value' },
];

/** The limit of the service. */
const fieldsMax = 20;

interface ContactFieldRowsProps {
  fields: readonly ContactField[];
  /** Undefined until it is loaded. */
  catalogue: Catalogue | undefined;
  tool: MarketingTool;
  onChange: (fields: ContactField[]) => void;
  problemOf: (part: string) => string | undefined;
}

/** Values of ours at the left, the fields of the tool that they are written into, and when they are written. */
export function ContactFieldRows({ fields, catalogue, tool, onChange, problemOf }: ContactFieldRowsProps) {
  const noun = tool.words.field.toLowerCase();
  const list = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const append = () => {
    // At once, as for a new condition.
    flushSync(() => onChange([...fields, { key: '', from: 'webinar_title', policy: 'always' }]));
    list.current?.querySelector<HTMLInputElement>('[data-field]:last-of-type input')?.focus();
  };
  const remove = (at: number) => {
    onChange(fields.filter((_one, index) => index !== at));
    add.current?.focus();
  };
  return (
    <div ref={list} role="group" aria-label="Fields">
      {fields.map((field, index) => {
        const name = `Field ${index + 1}`;
        const replace = (next: ContactField) =>
          onChange(fields.map((one, at) => (at === index ? next : one)));
        const problem = (part: string) => problemOf(`fields.${index}.${part}`);
        const toolField = catalogue?.fields.find(({ key }) => key === field.key);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- fields have no identity
          <div key={index} className={rowStyles['row']} role="group" aria-label={name} data-field>
            <div className={rowStyles['value']}>
              <SearchSelect
                aria-label={`${name}: value`}
                data={sourceChoices}
                value={field.from ?? constant}
                onChange={(source) => replace(withSource(field, source ?? constant))}
                error={field.from === undefined ? undefined : problem('from')}
              />
              {field.from === undefined ? (
                <ConstantInput
                  name={name}
                  value={field.value}
                  toolField={toolField}
                  onChange={(value) => replace({ ...field, value })}
                  error={
                    isBlank(field.value) && problem('from') !== undefined ? 'Give a value.' : problem('value')
                  }
                />
              ) : null}
            </div>
            <ToolFieldSelect
              name={name}
              noun={noun}
              known={catalogue?.fields ?? []}
              takesNew={tool.takesNewFields}
              value={field.key}
              onChange={(key) => replace({ ...field, key })}
              error={problem('key')}
            />
            <Select
              aria-label={`${name}: when`}
              allowDeselect={false}
              data={policies}
              value={field.policy}
              onChange={(policy) => replace({ ...field, policy: policy ?? 'always' })}
              error={problem('policy')}
            />
            <ActionIcon
              className={rowStyles['remove']}
              aria-label={`Remove ${name.toLowerCase()}`}
              onClick={() => remove(index)}
            >
              <IconX size={15} />
            </ActionIcon>
          </div>
        );
      })}
      <Button
        ref={add}
        variant="default"
        leftSection={<IconPlus size={14} />}
        disabled={fields.length >= fieldsMax}
        onClick={append}
      >
        Set {withArticle(noun)}
      </Button>
      {fields.length >= fieldsMax ? (
        <Text size="xs" c="dimmed" mt={4}>
          This is the limit of {fieldsMax}.
        </Text>
      ) : null}
    </div>
  );
}

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

const withSource = ({ key, policy }: ContactField, source: string): ContactField =>
  source === constant ? { key, policy, value: '' } : { key, policy, from: source as Source };

interface ToolFieldSelectProps {
  name: string;
  /** The tool's word for a field. */
  noun: string;
  known: readonly ToolField[];
  /** A typed name becomes a field of the tool with its first value. */
  takesNew: boolean;
  value: string;
  onChange: (key: string) => void;
  error: string | undefined;
}

/** A tool may have a thousand fields. The search finds the others. */
const choicesMax = 100;

function ToolFieldSelect({ name, noun, known, takesNew, value, onChange, error }: ToolFieldSelectProps) {
  const [typed, setTyped] = useState('');
  const choices = known.map((field) => ({ value: field.key, label: fieldLabel(field) }));
  const isListed = (text: string): boolean =>
    known.some(({ key }) => key === text) || choices.some(({ label }) => label === text);
  const others = [value, ...(takesNew ? [typed.trim()] : [])].filter(
    (text) => text !== '' && !isListed(text),
  );
  return (
    <SearchSelect
      aria-label={`${name}: ${noun}`}
      placeholder={`Choose ${withArticle(noun)}`}
      nothingFoundMessage={`No such ${noun}`}
      limit={choicesMax}
      data={[...choices, ...[...new Set(others)].map((text) => ({ value: text, label: text }))]}
      value={value || null}
      onSearchChange={setTyped}
      onChange={(key) => onChange(key ?? '')}
      error={error}
    />
  );
}

interface ConstantInputProps {
  name: string;
  value: ContactField['value'];
  toolField: ToolField | undefined;
  onChange: (value: NonNullable<ContactField['value']>) => void;
  error: string | undefined;
}

/** The control that fits the type of the tool's field. */
function ConstantInput({ name, value, toolField, onChange, error }: ConstantInputProps) {
  const common = { 'aria-label': `${name}: fixed value`, placeholder: 'Value', error };
  if (toolField?.type === 'number')
    return (
      <NumberInput
        {...common}
        // A number that is not typed to its end, such as "1.", is a text.
        value={typeof value === 'boolean' ? '' : (value ?? '')}
        onChange={onChange}
        onBlur={() => {
          if (!isBlank(value) && Number.isFinite(Number(value))) onChange(Number(value));
        }}
      />
    );
  if (toolField?.type === 'boolean')
    return (
      <Select
        {...common}
        allowDeselect={false}
        data={yesAndNo}
        value={typeof value === 'boolean' ? String(value) : null}
        onChange={(chosen) => onChange(chosen === 'true')}
      />
    );
  if (toolField?.type === 'choice' && toolField.choices)
    return (
      <SearchSelect
        {...common}
        limit={choicesMax}
        data={[...new Set(toolField.choices)]}
        value={typeof value === 'string' ? value : null}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    );
  return (
    <TextInput
      {...common}
      autoComplete="off"
      maxLength={1000}
      value={value === undefined ? '' : String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const yesAndNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];
