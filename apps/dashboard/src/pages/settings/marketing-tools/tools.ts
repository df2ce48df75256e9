import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { formatPlural } from '../../../format.ts';
import { previewKey } from '../../../live/refresh.ts';
import { useTRPC, useTRPCClient, type Catalogue, type Connection } from '../../../trpc.ts';

export type SyncSettings = NonNullable<Connection['settings']['sync']>;

/** The marketing tools that can be connected. They change with the service only. */
export function useTools() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.connections.tools.queryOptions(undefined, { staleTime: Infinity }),
  );
  return { tools: data?.data, error, refetch };
}

/** The tool of a connection, undefined until all tools are loaded, and the error of that read. */
export function useTool({ provider }: Pick<Connection, 'provider'>) {
  const { tools, error, refetch } = useTools();
  return { tool: tools?.find((one) => one.provider === provider), error, refetch };
}

/** When a field of a tool is set. */
export const policies = [
  { value: 'always', label: 'Always' },
  { value: 'if_empty', label: 'Only if empty' },
  { value: 'at_creation', label: 'Only new contacts' },
] as const;

export interface Choice {
  value: string;
  label: string;
}

export const namedChoice = ({ id, name }: { id: string; name: string }): Choice => ({
  value: id,
  label: name,
});

/** Chosen ids without a choice, such as those of deleted records, stay visible: by default with the id, or the end of a long one. */
export const withUnknown = (
  choices: readonly Choice[],
  chosen: readonly string[],
  labelOf = (id: string): string => (id.length > 14 ? `…${id.slice(-12)}` : id),
): Choice[] => [
  ...choices,
  ...chosen
    .filter((id) => !choices.some(({ value }) => value === id))
    .map((id) => ({ value: id, label: labelOf(id) })),
];

/** "First name (text)" */
export const fieldLabel = ({ label, type }: Catalogue['fields'][number]): string =>
  `${label} (${type.replace('_', ' ')})`;

/** "Every registrant is kept in step: 6 fields, 1 list. Left out: 2 webinars." */
export function inStepText({ settings: { sync } }: Connection): string {
  if (!sync?.enabled) return 'Only rules update contacts.';
  const { fields, tags, lists, webinarsLeftOut, domainsLeftOut } = sync;
  const parts = countsOf([
    [Object.keys(fields).length, 'field'],
    [tags.use.length, 'tag'],
    [lists.length, 'list'],
  ]);
  const leftOut = countsOf([
    [webinarsLeftOut.length, 'webinar'],
    [domainsLeftOut.length, 'domain'],
  ]);
  return [
    parts
      ? `Every registrant is kept in step: ${parts}.`
      : 'Every registrant becomes a contact that has only the e-mail address.',
    ...(leftOut ? [`Left out: ${leftOut}.`] : []),
  ].join(' ');
}

const countsOf = (counts: readonly (readonly [count: number, noun: string])[]): string =>
  counts.flatMap(([count, noun]) => (count > 0 ? [formatPlural(count, noun)] : [])).join(', ');

/** The reason why no registrant can be sent to the tool now. Undefined if they can be. */
export function findSendingBlock(
  { state, settings: { sync } }: Connection,
  isOwner: boolean,
): string | undefined {
  if (!sync?.enabled)
    return isOwner
      ? 'Switch on “Keep every registrant in step” first.'
      : 'An owner must switch on “Keep every registrant in step” first.';
  if (state === 'paused') return 'The connection is paused. Resume it first.';
  if (state === 'disconnected')
    return `The tool refuses the stored key. ${isOwner ? 'Replace it first.' : 'An owner must replace it first.'}`;
  return undefined;
}

const slowCall = { context: { isSlow: true } };

/** The query for the catalogue of a connection. The service asks the tool unless it did so within the last hour. */
export const catalogueOptions = ({ connections }: ReturnType<typeof useTRPC>, connectionId: string) =>
  connections.catalogue.queryOptions({ connectionId }, { retry: false, trpc: slowCall });

export type CatalogueState = ReturnType<typeof useCatalogue>;

/**
 * The fields, tags and lists of a connection's account at its tool, and the call that asks the tool again. They are also read again
 * when the key was replaced, when a tool that did not answer is connected again, and when one of `usedKeys` is unknown: another
 * person may have made the field.
 */
export function useCatalogue(
  {
    id: connectionId,
    credentialLast4,
    state,
  }: Pick<Connection, 'id'> & Partial<Pick<Connection, 'credentialLast4' | 'state'>>,
  usedKeys: readonly string[] = [],
) {
  const trpc = useTRPC();
  const { connections } = useTRPCClient();
  const queryClient = useQueryClient();
  const options = catalogueOptions(trpc, connectionId);
  const { data, error, refetch } = useQuery(options);
  const again = useMutation({
    mutationFn: () => connections.catalogue.query({ connectionId, isFresh: true }, slowCall),
    onSuccess: (answer) => queryClient.setQueryData(options.queryKey, answer),
  });
  const failure = again.error ?? error;
  const fields = data?.data.fields;
  const unknown = fields ? usedKeys.filter((used) => !fields.some(({ key }) => key === used)).join() : '';
  const readWith = useRef(credentialLast4);
  useEffect(() => {
    const isReplaced = readWith.current !== undefined && readWith.current !== credentialLast4;
    readWith.current = credentialLast4;
    if (!isReplaced && unknown === '' && (!failure || state !== 'connected')) return;
    again.reset();
    void refetch();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a repeated error must not start another read
  }, [credentialLast4, state, unknown]);
  return {
    data: data?.data,
    error: failure,
    isReading: again.isPending,
    readAgain: () => again.mutate(),
  };
}

export type Preview = ReturnType<typeof usePreview>;

const typingMs = 400;

/** The latest registrants with the requests that these settings make of them. Read again when somebody registers. */
export function usePreview(connectionId: string, sync: SyncSettings) {
  const trpc = useTRPC();
  const { contacts } = useTRPCClient();
  const [wanted] = useDebouncedValue(sync, typingMs);
  const { data, error, refetch } = useQuery({
    queryKey: [...previewKey(trpc), connectionId, wanted],
    queryFn: ({ signal }) => contacts.preview.mutate({ connectionId, sync: wanted }, { signal }),
    placeholderData: keepPreviousData,
    // Half a word is no domain: the form shows it when it is saved.
    retry: false,
  });
  return { people: data?.data, error, refetch };
}
