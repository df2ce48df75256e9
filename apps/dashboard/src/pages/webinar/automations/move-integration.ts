// The action of a rule at another connection. Keys of fields and ids of lists differ between accounts, so both are found by their names.
import type { Catalogue, MarketingTool } from '../../../trpc.ts';
import type { IntegrationValues } from './rule-values.ts';

type Parts = Pick<IntegrationValues, 'fields' | 'tags' | 'lists' | 'event'>;

interface Target {
  tool: Pick<MarketingTool, 'words' | 'takesEvents' | 'takesNewFields'>;
  catalogue: Catalogue;
}

/**
 * Keeps the parts that also exist at the other connection, and names those that do not: `field “Company”`. Without the catalogue of the former
 * connection, such as after its removal, fields and lists are found by their keys and ids.
 */
export function moveIntegration(
  { fields, tags, lists, event }: Parts,
  from: Catalogue | undefined,
  { tool, catalogue }: Target,
): { parts: Parts; leftOut: string[] } {
  const leftOut = new Set<string>();
  const leaveOut = (noun: string, name: string): [] => {
    leftOut.add(`${noun} “${name}”`);
    return [];
  };
  const keepField = (field: Parts['fields'][number]): Parts['fields'] => {
    if (field.key === '') return [field];
    const label = from?.fields.find(({ key }) => key === field.key)?.label;
    const key = catalogue.fields.find((one) =>
      label === undefined ? one.key === field.key : isSame(one.label, label),
    )?.key;
    if (key !== undefined) return [{ ...field, key }];
    return tool.takesNewFields
      ? [{ ...field, key: label ?? field.key }]
      : leaveOut('field', label ?? field.key);
  };
  const keepList = (id: string): string[] => {
    const name = from?.lists.find((list) => list.id === id)?.name;
    const same = catalogue.lists.find((one) => (name === undefined ? one.id === id : isSame(one.name, name)));
    return same ? [same.id] : leaveOut('list', name ?? id);
  };
  const keepTag = (name: string): string[] => (tool.words.tag === null ? leaveOut('tag', name) : [name]);
  return {
    parts: {
      fields: fields.flatMap(keepField),
      tags: { add: tags.add.flatMap(keepTag), remove: tags.remove.flatMap(keepTag) },
      lists: { add: lists.add.flatMap(keepList), remove: lists.remove.flatMap(keepList) },
      event: event === null || tool.takesEvents ? event : (leaveOut('event', event.name), null),
    },
    leftOut: [...leftOut],
  };
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
