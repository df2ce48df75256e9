import type { ConditionNames, SentenceValue } from '@service/conditions';
import { useQuery } from '@tanstack/react-query';
import { listAll } from '../../list-all.ts';
import { useTRPC, useTRPCClient, type ServiceClient } from '../../trpc.ts';

type Lists = ServiceClient;
type Interaction = Awaited<ReturnType<Lists['interactions']['list']['query']>>['data'][number];
type Segment = Awaited<ReturnType<Lists['segments']['list']['query']>>['data'][number];
type Branch = Awaited<ReturnType<Lists['segments']['branches']['list']['query']>>['data'][number];

/** The names of the records of a webinar. A deleted record is named as such. */
export interface Names extends ConditionNames {
  branch(id: string): SentenceValue;
  segment(id: string): SentenceValue;
}

/** The records of a webinar that rules and conditions refer to. Undefined until they are loaded. */
export interface WebinarRecords {
  interactions: readonly Interaction[] | undefined;
  segments: readonly Segment[] | undefined;
  branches: readonly Branch[] | undefined;
  /** Labels of the fields of the registration form, by key. */
  customFields: ReadonlyMap<string, string>;
}

/** The keys of these queries are below those of the lists, so that a change of an interaction or segment invalidates them. */
export function useWebinarRecords(webinarId: string): WebinarRecords {
  const trpc = useTRPC();
  const { interactions, segments } = useTRPCClient();
  const all = ['all', webinarId];
  const foundInteractions = useQuery({
    queryKey: [...trpc.interactions.pathKey(), ...all],
    queryFn: ({ signal }) => listAll((page) => interactions.list.query({ webinarId, ...page }, { signal })),
  });
  const foundSegments = useQuery({
    queryKey: [...trpc.segments.pathKey(), ...all],
    queryFn: ({ signal }) => listAll((page) => segments.list.query({ webinarId, ...page }, { signal })),
  });
  const foundBranches = useQuery({
    queryKey: [...trpc.segments.branches.pathKey(), ...all],
    queryFn: ({ signal }) =>
      listAll((page) => segments.branches.list.query({ webinarId, ...page }, { signal })),
  });
  const webinar = useQuery(trpc.webinars.get.queryOptions({ webinarId })).data?.data;
  return {
    interactions: foundInteractions.data,
    segments: foundSegments.data,
    branches: foundBranches.data,
    customFields: new Map(webinar?.registrationForm.fields.map(({ key, label }) => [key, label])),
  };
}

export const useNames = (webinarId: string): Names => namesOf(useWebinarRecords(webinarId));

export function namesOf({ interactions, segments, branches, customFields }: WebinarRecords): Names {
  return {
    interaction: (id) =>
      nameIn(interactions, { id, noun: 'interaction', nameOf: (found) => found.internalName }),
    option(interactionId, optionId) {
      const poll = interactions?.find((one) => isSameId(one.id, interactionId));
      const options = interactions && (poll?.type === 'poll' ? poll.options : []);
      return nameIn(options, { id: optionId, noun: 'option', nameOf: (found) => found.label });
    },
    segment: (id) => nameIn(segments, { id, noun: 'segment', nameOf: (found) => found.title }),
    branch: (id) => nameIn(branches, { id, noun: 'branch', nameOf: (found) => found.label }),
    customField: (key) => customFields.get(key) ?? key,
  };
}

interface NamedBy<Item> {
  id: string;
  noun: string;
  nameOf: (item: Item) => string;
}

function nameIn<Item extends { id: string }>(
  items: readonly Item[] | undefined,
  { id, noun, nameOf }: NamedBy<Item>,
): SentenceValue {
  if (!items) return { text: '…' };
  const found = items.find((one) => isSameId(one.id, id));
  return found ? { text: nameOf(found) } : { text: `a deleted ${noun} (${id.slice(-6)})`, isMissing: true };
}

/** A rule may contain ids in upper case. */
const isSameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
