import { conditionText, sentenceText } from '@service/conditions';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ApiCall } from '../../../api-call.ts';
import { isEqual, valueAt } from '../../../record-form/edits.ts';
import { usePanelSave } from '../../../record-form/use-panel-save.ts';
import { useTRPCClient, type Rule, type TriggerForm } from '../../../trpc.ts';
import { useInvalidation } from '../use-invalidation.ts';
import { useAutomationsSearch } from '../use-tab-search.ts';
import { actionParts, triggerParts, type RuleTexts } from './rule-sentence.ts';
import { isBlank, ruleToValues, valuesToInput, type RuleValues } from './rule-values.ts';

interface SaveOptions {
  /** Of the draft. */
  name: string;
  form: UseFormReturnType<RuleValues>;
  triggers: readonly TriggerForm[];
  /** Absent for a new rule. */
  stored: Rule | undefined;
  /** True: the form of a second rule opens next, for the other order of trigger and condition. */
  opensSecond: { readonly current: boolean };
}

/** Creates the rule, or changes it, and opens its drawer. */
export function useSaveRule({ name, form, triggers, stored, opensSecond }: SaveOptions) {
  const { rules } = useTRPCClient().automations;
  const changed = useInvalidation((trpc) => [trpc.automations.rules]);
  const { webinarId, show } = useAutomationsSearch();
  const { body, ...saving } = usePanelSave({
    name,
    form,
    stored,
    valuesOf: (rule) => ruleToValues(rule, triggers),
    bodyOf: (values: RuleValues) => valuesToInput(values, triggers),
    // The answer of a new rule contains its secret, which must not stay in the cache.
    create: async (created) => (await rules.create.mutate({ webinarId, ...created })).data.id,
    update: (changes, context) =>
      rules.update.mutate({ webinarId, ruleId: stored!.id, ...changes }, { context }),
    onSaved: async (createdId) => {
      await changed();
      const rule = createdId ?? stored?.id;
      const next = opensSecond.current
        ? { create: true as const, copy: rule, second: true as const, rule: undefined }
        : { create: undefined, copy: undefined, second: undefined, rule };
      show({ ...next, edit: undefined }, { isSaved: true });
    },
    // The params belong to the type.
    whole: ['trigger'],
  });
  const apiCall: ApiCall = stored
    ? {
        operation: 'PATCH /webinars/{webinarId}/automations/{ruleId}',
        params: { webinarId, ruleId: stored.id },
        body,
      }
    : { operation: 'POST /webinars/{webinarId}/automations', params: { webinarId }, body };
  return { ...saving, apiCall };
}

/** Names of the fields, for the comparison of two people's changes. */
export const ruleLabels = {
  name: 'Rule name',
  trigger: 'When',
  conditions: 'Only if',
  fireMode: 'How often it fires',
  actions: 'Then',
};

export const fireModes = [
  { value: 'once_per_session', label: 'Once per attendee and session' },
  { value: 'every_match', label: 'Every time' },
];

/** The values of the comparison that are no texts. */
export function describeRule(path: string, value: unknown, texts: RuleTexts): string | undefined {
  if (path === 'trigger') return `“${sentenceText(triggerParts(value as RuleValues['trigger'], texts))}”`;
  if (path === 'fireMode') return fireModes.find((mode) => mode.value === value)?.label;
  if (path === 'actions') return `“${sentenceText(actionParts(value as RuleValues['actions'], texts))}”`;
  if (path !== 'conditions') return undefined;
  const conditions = (value as RuleValues['conditions']).map((one) => conditionText(one, texts.names));
  return conditions.length === 0 ? 'no conditions' : `“${conditions.join(' and ')}”`;
}

interface RuleCheckOptions {
  webinarId: string;
  form: UseFormReturnType<RuleValues>;
  triggers: readonly TriggerForm[];
  /** The values of the last attempt to save. Fields that were empty then are reported too. */
  submitted: RuleValues | undefined;
  /** The error of that attempt. */
  refusal: unknown;
}

const pauseMs = 400;

/** Shows the problems that the service finds in the form, at their fields, when the typing stops. */
export function useRuleCheck({ webinarId, form, triggers, submitted, refusal }: RuleCheckOptions): void {
  const { rules } = useTRPCClient().automations;
  const input = valuesToInput(form.values, triggers);
  const [draft] = useDebouncedValue(JSON.stringify(input), pauseMs);
  const { data } = useQuery({
    queryKey: ['rule check', webinarId, draft],
    queryFn: async ({ signal }) => {
      const checked = JSON.parse(draft) as typeof input;
      return {
        checked,
        problems: (await rules.check.mutate({ webinarId, draft: checked }, { signal })).data,
      };
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
  const shown = (data?.problems ?? []).flatMap(({ path, message }) => {
    const value = valueAt(input, path);
    // The check of a value that has changed since is still to come.
    if (!isEqual(value, valueAt(data?.checked ?? {}, path))) return [];
    const parts = partsOf(path);
    // A part that was added after the attempt to save is not filled in yet.
    const wasSubmitted = submitted && (parts.length === 1 || valueAt(submitted, parts.at(-2)!) !== undefined);
    if (!wasSubmitted && (isBlank(value) || !parts.some((part) => form.isTouched(part)))) return [];
    // An action without any part has an empty list of fields, and the service says what to give.
    const isMissing = isBlank(value) && !path.endsWith('.fields');
    return [[path, isMissing ? 'Give a value.' : message] as const];
  });
  const shownText = JSON.stringify(shown);
  const { setErrors } = form;
  useEffect(() => setErrors(Object.fromEntries(JSON.parse(shownText))), [setErrors, shownText]);
  // A refusal may arrive after the check, and its messages are less clear.
  useEffect(() => {
    if (refusal) setErrors((refused) => ({ ...refused, ...Object.fromEntries(JSON.parse(shownText)) }));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each refusal
  }, [refusal]);
}

/** `a.b.c` gives `a`, `a.b` and `a.b.c`. */
const partsOf = (path: string): string[] =>
  path.split('.').map((_part, index, parts) => parts.slice(0, index + 1).join('.'));
