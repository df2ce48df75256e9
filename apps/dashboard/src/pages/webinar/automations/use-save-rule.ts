import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ApiCall } from '../../../api-call.ts';
import { conditionText } from '../../../components/conditions/condition-text.ts';
import { sentenceText } from '../../../fill-template.ts';
import { usePanelSave } from '../../../record-form/use-panel-save.ts';
import { useTRPC, useTRPCClient, type Rule, type TriggerForm } from '../../../trpc.ts';
import { triggerParts, type RuleTexts } from './rule-sentence.ts';
import { ruleToValues, valuesToInput, type RuleValues } from './rule-values.ts';
import { useAutomationsSearch } from './use-automations-search.ts';

interface SaveOptions {
  /** Of the draft. */
  name: string;
  form: UseFormReturnType<RuleValues>;
  triggers: readonly TriggerForm[];
  /** Absent for a new rule. */
  stored: Rule | undefined;
}

/** Creates the rule, or changes it, and opens its drawer. */
export function useSaveRule({ name, form, triggers, stored }: SaveOptions) {
  const trpc = useTRPC();
  const { rules } = useTRPCClient().automations;
  const queryClient = useQueryClient();
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
      await queryClient.invalidateQueries(trpc.automations.rules.pathFilter());
      const rule = createdId ?? stored?.id;
      show({ create: undefined, copy: undefined, edit: undefined, rule }, { isSaved: true });
    },
    // The params belong to the type.
    whole: ['trigger'],
  });
  return { ...saving, apiCall: apiCallOf({ webinarId, ruleId: stored?.id }, body) };
}

interface SavedRule {
  webinarId: string;
  /** Undefined for a new rule. */
  ruleId: string | undefined;
}

const apiCallOf = ({ webinarId, ruleId }: SavedRule, body: object): ApiCall =>
  ruleId === undefined
    ? { operation: 'POST /webinars/{webinarId}/automations', params: { webinarId }, body }
    : { operation: 'PATCH /webinars/{webinarId}/automations/{ruleId}', params: { webinarId, ruleId }, body };

/** Names of the fields, for the comparison of two people's changes. */
export const ruleLabels = {
  name: 'Rule name',
  trigger: 'When',
  conditions: 'Only if',
  fireMode: 'How often it fires',
  'action.url': 'Endpoint URL',
};

export const fireModes = [
  { value: 'once_per_session', label: 'Once per attendee and session' },
  { value: 'every_match', label: 'Every time' },
];

/** The values of the comparison that are no texts. */
export function describeRule(path: string, value: unknown, texts: RuleTexts): string | undefined {
  if (path === 'trigger') return `“${sentenceText(triggerParts(value as RuleValues['trigger'], texts))}”`;
  if (path === 'fireMode') return fireModes.find((mode) => mode.value === value)?.label;
  if (path !== 'conditions') return undefined;
  const conditions = (value as RuleValues['conditions']).map((one) => conditionText(one, texts.names));
  return conditions.length === 0 ? 'no conditions' : `“${conditions.join(' and ')}”`;
}
