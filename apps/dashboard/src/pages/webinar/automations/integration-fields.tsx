// The action of a rule that updates the contact of the attendee in a marketing tool.
import '../../../components/choices.css';
import { Input, Select, Skeleton, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { randomId } from '@mantine/hooks';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { SearchMultiSelect } from '../../../components/search-multi-select.tsx';
import { isWorthRetrying } from '../../../failure.ts';
import { firstError } from '../../../zod-form.ts';
import { useTRPC, type Catalogue, type Connection } from '../../../trpc.ts';
import { useToolConnections } from '../../settings/marketing-tools/tool-connections.ts';
import {
  catalogueOptions,
  namedChoice,
  useCatalogue,
  useTool,
  withUnknown,
} from '../../settings/marketing-tools/tools.ts';
import { ContactFieldRows } from './contact-field-rows.tsx';
import styles from './integration-fields.module.css';
import { actionPath, moveIntegration, type IntegrationValues, type RuleValues } from './rule-values.ts';

export const newIntegration = (connectionId = ''): IntegrationValues => ({
  key: randomId(),
  type: 'integration',
  connectionId,
  fields: [],
  tags: { add: [], remove: [] },
  lists: { add: [], remove: [] },
  event: null,
});

/** The parts of the action. The form shows the problems of each part and of everything in it. */
export const integrationParts: ReadonlySet<string> = new Set([
  'connectionId',
  'fields',
  'tags',
  'lists',
  'event',
]);

interface IntegrationFieldsProps {
  form: UseFormReturnType<RuleValues>;
  index: number;
  action: IntegrationValues;
}

export function IntegrationFields({ form, index, action }: IntegrationFieldsProps) {
  const { connections, error, refetch } = useToolConnections();
  const { connectionId } = action;
  const connection = connections?.find((one) => one.id === connectionId);
  const set = (values: IntegrationValues) => form.setFieldValue(`actions.${index}`, values);
  const move = useMove(form, action);
  const problemOf = (part: string) => firstError(form.errors, actionPath(index, part));
  if (error && !connections) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!connections) return <Skeleton height={60} aria-busy />;
  return (
    <Stack gap="sm">
      <Select
        label="Connection"
        placeholder="Choose a connection"
        allowDeselect={false}
        data={withUnknown(
          connections.map(namedChoice),
          connectionId ? [connectionId] : [],
          () => 'A removed marketing tool',
        )}
        value={(move.isPending ? move.variables : connectionId) || null}
        onChange={(chosen) => {
          if (chosen !== null && chosen !== connectionId) move.mutate(chosen);
        }}
        readOnly={move.isPending}
        aria-busy={move.isPending}
        error={problemOf('connectionId')}
      />
      {move.error ? <FailureNotice error={move.error} onRetry={() => move.mutate(move.variables)} /> : null}
      <div role="status">
        {move.data && move.data.length > 0 ? (
          <Text size="sm">
            These could not be found at {connection?.name}, so they were removed from the action:{' '}
            {move.data.join(', ')}.
          </Text>
        ) : null}
      </div>
      {move.isPending ? <Skeleton height={120} aria-busy /> : null}
      {connection && !move.isPending ? (
        <ToolFields
          connection={connection}
          action={action}
          onChange={(parts) => set({ ...action, ...parts })}
          problemOf={problemOf}
        />
      ) : null}
      {form.errors[actionPath(index, 'fields')] ? (
        <Input.Error>{form.errors[actionPath(index, 'fields')]}</Input.Error>
      ) : null}
    </Stack>
  );
}

const moveKey = ['move action'];

/** True while an action gets another connection. Until then the form has the former one. */
export const useIsMoving = (): boolean => useIsMutating({ mutationKey: moveKey }) > 0;

/** Chooses another connection, when the catalogues were read. The result names the parts that were left out. */
function useMove(form: UseFormReturnType<RuleValues>, action: IntegrationValues) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const readTarget = async (connectionId: string) => {
    const [from, catalogue, tools, connections] = await Promise.all([
      queryClient.ensureQueryData(catalogueOptions(trpc, action.connectionId)).then(dataOf, noCatalogue),
      // Its key may have been replaced since it was read for another action.
      queryClient.fetchQuery(catalogueOptions(trpc, connectionId)).then(dataOf, noCatalogue),
      queryClient.ensureQueryData(trpc.connections.tools.queryOptions()),
      queryClient.ensureQueryData(trpc.connections.list.queryOptions({})),
    ]);
    const { provider } = connections.data.find(({ id }) => id === connectionId)!;
    const tool = tools.data.find((one) => one.provider === provider)!;
    return { from, tool, catalogue };
  };
  return useMutation({
    mutationKey: moveKey,
    async mutationFn(connectionId: string) {
      const { fields, tags, lists, event } = action;
      const isEmpty =
        event === null &&
        [fields, tags.add, tags.remove, lists.add, lists.remove].every(({ length }) => length === 0);
      const target = isEmpty ? undefined : await readTarget(connectionId);
      // The actions may have changed in the meantime.
      const { actions } = form.getValues();
      const index = actions.findIndex(({ key }) => key === action.key);
      const current = actions[index];
      if (current?.type !== 'integration' || current.connectionId !== action.connectionId) return [];
      const { parts, leftOut } = target
        ? moveIntegration(current, target.from, target)
        : { parts: {}, leftOut: [] };
      form.setFieldValue(`actions.${index}`, { ...current, ...parts, connectionId });
      return leftOut;
    },
  });
}

const dataOf = ({ data }: { data: Catalogue }): Catalogue => data;

/** No catalogue: the connection was removed, or its tool does not answer. An error of the service is thrown. */
function noCatalogue(error: unknown): undefined {
  if (isWorthRetrying(error)) throw error;
}

interface ToolFieldsProps {
  connection: Connection;
  action: IntegrationValues;
  onChange: (parts: Partial<IntegrationValues>) => void;
  /** The first problem of a part, or of something in it. */
  problemOf: (part: string) => string | undefined;
}

/** The parts that the tool has, in its words. */
function ToolFields({ connection, action, onChange, problemOf }: ToolFieldsProps) {
  const { tool, error: toolError, refetch } = useTool(connection);
  const { data: catalogue, error, readAgain } = useCatalogue(connection);
  if (toolError && !tool) return <FailureNotice error={toolError} onRetry={() => void refetch()} />;
  if (!tool) return <Skeleton height={120} aria-busy />;
  const { words, takesEvents } = tool;
  const { fields, tags, lists, event } = action;
  const knownTags = catalogue?.tags.map(({ name }) => name) ?? [];
  return (
    <>
      {error && !catalogue ? <FailureNotice error={error} onRetry={readAgain} /> : null}
      <ContactFieldRows
        fields={fields}
        catalogue={catalogue}
        tool={tool}
        onChange={(changed) => onChange({ fields: changed })}
        problemOf={problemOf}
      />
      {words.tag === null ? null : (
        <div className={styles['pair']}>
          {sides.map(({ side, verb }) => (
            <TagsInput
              key={side}
              label={`${verb} ${words.tag!.toLowerCase()}s`}
              placeholder={tags[side].length > 0 ? undefined : 'Type a name, then Enter'}
              data={knownTags}
              limit={choicesMax}
              acceptValueOnBlur
              value={[...tags[side]]}
              onChange={(names) => onChange({ tags: { ...tags, [side]: names } })}
              error={problemOf(`tags.${side}`)}
            />
          ))}
        </div>
      )}
      {words.list === null ? null : (
        <div className={styles['pair']}>
          {sides.map(({ side, verb, preposition }) => (
            <SearchMultiSelect
              key={side}
              label={`${verb} ${preposition} ${words.list!.toLowerCase()}s`}
              description={
                side === 'add' ? 'People are added only if they have agreed and get your e-mails.' : undefined
              }
              placeholder={lists[side].length > 0 ? undefined : 'Choose'}
              data={withUnknown((catalogue?.lists ?? []).map(namedChoice), lists[side])}
              limit={choicesMax}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              nothingFoundMessage="No such list"
              value={[...lists[side]]}
              onChange={(ids) => onChange({ lists: { ...lists, [side]: ids } })}
              error={problemOf(`lists.${side}`)}
            />
          ))}
        </div>
      )}
      {takesEvents ? (
        <TextInput
          label="Record an event"
          placeholder="Name of the event"
          autoComplete="off"
          value={event?.name ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange({ event: value === '' ? null : { name: value } })
          }
          error={problemOf('event')}
        />
      ) : null}
    </>
  );
}

const sides = [
  { side: 'add', verb: 'Add', preposition: 'to' },
  { side: 'remove', verb: 'Remove', preposition: 'from' },
] as const;

/** A tool may have a thousand. The search finds the others. */
const choicesMax = 100;
