import '../../../components/choices.css';
import {
  Button,
  Fieldset,
  Group,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { sentenceText } from '@service/conditions';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { ConditionsInput } from '../../../components/conditions/conditions-input.tsx';
import { namesOf, useWebinarRecords, type WebinarRecords } from '../../../components/conditions/use-names.ts';
import { CopyButton } from '../../../components/copy.tsx';
import { DraftNotice, FormActions } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Sentence } from '../../../components/sentence.tsx';
import { UnsavedGuard } from '../../../components/unsaved-guard.tsx';
import { failureOf } from '../../../failure.ts';
import { useCheckedForm } from '../../../record-form/checked-form.ts';
import { ConflictDialog } from '../../../record-form/conflict-dialog.tsx';
import { useTRPC, type Rule, type TriggerForm } from '../../../trpc.ts';
import { useToolConnections } from '../../settings/marketing-tools/tool-connections.ts';
import { ruleToSource } from '../../source/source.ts';
import { useWebinar } from '../use-webinar.ts';
import { ActionFields } from './action-fields.tsx';
import { integrationParts, useIsMoving } from './integration-fields.tsx';
import styles from './rule-panels.module.css';
import { LateConditions } from './late-conditions.tsx';
import { ruleParts, triggerParts } from './rule-sentence.ts';
import {
  actionPath,
  copyOf,
  initialParams,
  paramPath,
  ruleToValues,
  type RuleValues,
} from './rule-values.ts';
import { firesText, offersOf, type Timing } from './rule-timing.ts';
import { TriggerParams, TriggerSelect } from './trigger-fields.tsx';
import { describeRule, fireModes, ruleLabels, useRuleCheck, useSaveRule } from './use-save-rule.ts';
import { useTriggers } from './use-triggers.ts';

interface RuleEditorProps {
  webinarId: string;
  /** The rule that is changed, or that the new one begins as a copy of. */
  ruleId: string | undefined;
  /** True for the form of a new rule. */
  isNew: boolean;
  /** The copy is for the other order of trigger and condition. */
  isSecond: boolean;
  onCancel: () => void;
}

/** Waits for the rule, and for the triggers, whose params and defaults the form begins with. */
export function RuleEditor({ ruleId, ...props }: RuleEditorProps) {
  const trpc = useTRPC();
  const { webinarId, isSecond } = props;
  const triggers = useTriggers();
  const records = useWebinarRecords(webinarId);
  const { data, error, refetch } = useQuery(
    trpc.automations.rules.get.queryOptions(ruleId === undefined ? skipToken : { webinarId, ruleId }),
  );
  const isRead = ruleId === undefined || data !== undefined;
  if (!isRead && error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!isRead || !triggers || (isSecond && !records.interactions)) return <Skeleton height={420} aria-busy />;
  return <RuleForm {...props} rule={data?.data} triggers={triggers} records={records} />;
}

interface RuleFormProps extends Omit<RuleEditorProps, 'ruleId'> {
  rule: Rule | undefined;
  triggers: readonly TriggerForm[];
  records: WebinarRecords;
}

function RuleForm({ webinarId, rule, isNew, isSecond, onCancel, triggers, records }: RuleFormProps) {
  const [first] = useState(() => {
    const values = ruleToValues(rule, triggers);
    if (!isNew || !rule) return values;
    const second = isSecond && offersOf(values, records.interactions).find(({ kind }) => kind === 'second');
    return second ? copyOf({ ...values, ...timingOf(second) }, 'Other order of') : copyOf(values);
  });
  // The service checks a rule: useRuleCheck.
  const form = useCheckedForm<RuleValues>(first, noCheck);
  const name = useRef<HTMLInputElement>(null);
  // The drawer opens before the form is loaded, so its own first focus comes too early.
  useEffect(() => name.current?.focus(), []);
  const [submitted, setSubmitted] = useState<RuleValues>();
  const webinar = useWebinar().data?.data;
  const { values } = form;
  const trigger = triggers.find(({ type }) => type === values.trigger.type);
  const opensSecond = useRef(false);
  const { save, draft, apiCall, isPending, error, conflict } = useSaveRule({
    name: `rule:${isNew ? `new:${webinarId}${isSecond ? ':second' : ''}` : rule?.id}`,
    opensSecond,
    form,
    triggers,
    stored: isNew ? undefined : rule,
  });
  useRuleCheck({ webinarId, form, triggers, submitted, refusal: error });
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  // As the form was when the service refused it, so that a corrected or removed part is not listed again.
  const shownPaths = useMemo(
    () => [...shownPathsOf(values, trigger), ...integrationPathsOf(values, error)],
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each refusal
    [error],
  );
  const { connections } = useToolConnections();
  const texts = { triggers, names: namesOf(records), connections };
  const submitAnd = (isWithSecond: boolean) =>
    form.onSubmit(() => {
      opensSecond.current = isWithSecond;
      setSubmitted(values);
      save(values);
    });
  const isMoving = useIsMoving();
  const hasWebhook = values.actions.some(({ type }) => type === 'webhook');
  const sentence = { ...values, enabled: true, fireMode: trigger?.hasFireMode ? values.fireMode : null };
  return (
    <form ref={element} onSubmit={submitAnd(false)} noValidate>
      <UnsavedGuard
        isDirty={form.isDirty() && !isPending}
        isOpenWith={(search) => search['create'] === true || search['edit'] === true}
      />
      <Stack gap="md">
        <DraftNotice draft={draft} />
        <Text
          className={styles['sentence']}
          component="p"
          aria-label="The rule as a sentence"
          aria-live="polite"
          m={0}
        >
          <Sentence parts={ruleParts(sentence, texts)} />
        </Text>
        <TextInput
          label="Rule name"
          placeholder="Add to CRM"
          autoComplete="off"
          maxLength={100}
          ref={name}
          {...form.getInputProps('name')}
        />
        <Fieldset legend="When" className={styles['part']} classNames={{ legend: styles['legend'] }}>
          <Stack gap="sm">
            <TriggerSelect
              triggers={triggers}
              value={values.trigger.type}
              onChange={(next) =>
                form.setFieldValue('trigger', { type: next.type, params: initialParams(next) })
              }
            />
            {trigger ? (
              <TriggerParams key={trigger.type} form={form} trigger={trigger} records={records} />
            ) : null}
            {trigger?.hasFireMode ? (
              <SegmentedControl
                aria-label="How often it fires"
                data={fireModes}
                value={values.fireMode}
                onChange={(mode) => form.setFieldValue('fireMode', mode as RuleValues['fireMode'])}
              />
            ) : trigger ? (
              <Text size="xs" c="dimmed">
                How often it fires: {firesText(values, trigger)}.
              </Text>
            ) : null}
          </Stack>
        </Fieldset>
        <Fieldset legend="Only if" className={styles['part']} classNames={{ legend: styles['legend'] }}>
          <Text size="xs" c="dimmed" mb={4}>
            All conditions must be met when the event happens. Without conditions the rule always fires.
          </Text>
          <ConditionsInput
            webinarId={webinarId}
            value={values.conditions}
            onChange={(conditions) => form.setFieldValue('conditions', conditions)}
            error={form.errors['conditions']}
            errors={form.errors}
          />
          <LateConditions rule={values} texts={texts}>
            {offersOf(values, records.interactions).map((offer) => {
              const when = sentenceText(triggerParts(offer.trigger, texts));
              return offer.kind === 'second' ? (
                <WideButton key="second" onClick={() => submitAnd(true)()}>
                  Save, then make a second rule: when {when}
                </WideButton>
              ) : (
                <WideButton key={offer.trigger.type} onClick={() => form.setValues(timingOf(offer))}>
                  Fire instead when {when}
                </WideButton>
              );
            })}
          </LateConditions>
        </Fieldset>
        <Fieldset legend="Then" className={styles['part']} classNames={{ legend: styles['legend'] }}>
          <ActionFields
            form={form}
            webinarId={webinarId}
            storedWebhook={isNew || !rule ? undefined : ruleToSource(rule)}
          />
          {isNew && hasWebhook ? (
            <Text size="xs" c="dimmed" mt={8}>
              A signing secret is made when you save. You can see it whenever you open the rule.
            </Text>
          ) : null}
        </Fieldset>
        {trigger && hasWebhook ? <PayloadSample trigger={trigger} webinar={webinar} /> : null}
        {error ? <FailureNotice error={error} shownPaths={shownPaths} /> : null}
        <FormActions
          submit="Save rule"
          isPending={isPending}
          isDisabled={isMoving}
          apiCall={apiCall}
          onCancel={onCancel}
        />
      </Stack>
      <ConflictDialog
        conflict={conflict}
        labels={ruleLabels}
        describe={(path, value) => describeRule(path, value, texts)}
      />
    </form>
  );
}

const timingOf = ({ trigger, conditions }: Timing): Pick<RuleValues, 'trigger' | 'conditions'> => ({
  trigger,
  conditions,
});

/** Its text is a sentence and may need several lines. */
const WideButton = (props: { onClick: () => void; children: ReactNode }) => (
  <Button
    variant="default"
    h="auto"
    py={6}
    styles={{ label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4 } }}
    {...props}
  />
);

const noCheck = () => ({});

/** Paths whose problems a field shows. The others are listed above the buttons. */
const shownPathsOf = ({ conditions, actions }: RuleValues, trigger: TriggerForm | undefined): string[] => [
  'name',
  ...actions.flatMap((_action, index) => ['url', 'subject', 'text'].map((name) => actionPath(index, name))),
  'conditions',
  ...(trigger?.params.map(({ name }) => paramPath(name)) ?? []),
  ...conditions.flatMap((_condition, index) =>
    ['field', 'operator', 'value', 'value.interactionId', 'value.optionId'].map(
      (key) => `conditions.${index}.${key}`,
    ),
  ),
];

/** The problems of actions for marketing tools. Their fields also show those of single tags, lists and values. */
const integrationPathsOf = ({ actions }: RuleValues, error: unknown): string[] =>
  failureOf(error)
    .issues.map(({ path }) => path)
    .filter((path) => {
      const [, index, part = ''] = path.split('.');
      return actions[Number(index)]?.type === 'integration' && integrationParts.has(part);
    });

interface PayloadSampleProps {
  trigger: TriggerForm;
  webinar: { id: string; title: string } | undefined;
}

/** The body that the endpoint receives for this trigger. */
function PayloadSample({ trigger, webinar }: PayloadSampleProps) {
  const sample = { ...trigger.sample, ...(webinar && { webinar: { id: webinar.id, title: webinar.title } }) };
  const text = JSON.stringify(sample, null, 2);
  return (
    <section aria-label="Sample of the payload">
      <Group justify="space-between" mb={4}>
        <Title order={3}>Sample of the payload</Title>
        <CopyButton text={text} label="Copy sample" />
      </Group>
      <Text size="xs" c="dimmed" mb={8}>
        The endpoint receives this JSON with the data of the attendee. Accept further fields.
      </Text>
      <CodeBlock text={text} label="Sample of the payload" testId="payload-sample" />
    </section>
  );
}
