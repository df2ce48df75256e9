import { Button, Group, Stack, Title } from '@mantine/core';
import { IconCopy, IconPencil, IconSend } from '@service/icons';
import { sentenceText } from '@service/conditions';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { namesOf, useWebinarRecords } from '../../../components/conditions/use-names.ts';
import { CopyableId, CopyAction } from '../../../components/copy.tsx';
import { Question } from '../../../components/dialog-form.tsx';
import { Facts, Part, type Fact } from '../../../components/facts.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Sentence } from '../../../components/sentence.tsx';
import { Status } from '../../../components/status.tsx';
import { useTRPC, useTRPCClient, type Rule } from '../../../trpc.ts';
import { WorkspaceLink } from '../../../workspace.ts';
import { connectionName, useToolConnections } from '../../settings/marketing-tools/tool-connections.ts';
import { policies, useCatalogue } from '../../settings/marketing-tools/tools.ts';
import { HealthBadge } from '../../source/health-badge.tsx';
import { SecretField } from '../../source/secret-field.tsx';
import { SourceLink } from '../../source/source-link.tsx';
import { offReasonOf, ruleToSource } from '../../source/source.ts';
import { TestDialog } from '../../source/test-dialog.tsx';
import { sourceApiCall } from '../../source/use-source.ts';
import { useRules } from '../../source/use-sources.ts';
import { VerifySamples } from '../../source/verify-samples.tsx';
import type { AutomationsSearch } from '../search.ts';
import { TestMail } from '../mails/mail-preview.tsx';
import { useInvalidation } from '../use-invalidation.ts';
import { useWebinarId } from '../use-webinar.ts';
import { AttendeeQuestion } from './attendee-question.tsx';
import { sourceLabels } from './contact-field-rows.tsx';
import { LateConditions } from './late-conditions.tsx';
import { RuleSkeleton } from './rule-drawer.tsx';
import styles from './rule-panels.module.css';
import { triggerParts, useRuleSentence } from './rule-sentence.ts';
import { firesText, isSameTiming, offersOf } from './rule-timing.ts';
import { useTriggers } from './use-triggers.ts';

export interface RuleDetailsProps {
  webinarId: string;
  ruleId: string;
  /** The attendee for whom the rule is explained. */
  attendeeId?: string | undefined;
  onAttendee?: (registrationId: string | undefined) => void;
}

export function RuleDetails({ webinarId, ruleId, attendeeId, onAttendee }: RuleDetailsProps) {
  const trpc = useTRPC();
  const sentenceOf = useRuleSentence(webinarId);
  const { data, error, refetch } = useQuery(trpc.automations.rules.get.queryOptions({ webinarId, ruleId }));
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <RuleSkeleton />;
  const rule = data.data;
  return (
    <Stack gap="lg">
      <div>
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>
          {rule.name}
        </Title>
        <p className={styles['sentence']}>
          <Sentence parts={sentenceOf(rule)} />
        </p>
        <RuleActions rule={rule} />
      </div>
      <RuleFacts rule={rule} />
      <RuleTiming rule={rule} />
      <AttendeeQuestion
        webinarId={webinarId}
        rules={[rule]}
        registrationId={attendeeId}
        onRegistration={onAttendee}
      />
      <RuleEmails rule={rule} />
      <RuleUpdates rule={rule} />
      {rule.action ? (
        <>
          <RuleSecret rule={rule} />
          <VerifySamples />
        </>
      ) : null}
    </Stack>
  );
}

function RuleActions({ rule }: { rule: Rule }) {
  const [isTesting, setIsTesting] = useState(false);
  const source = ruleToSource(rule);
  const navigate = useNavigate();
  // The drawer of the delivery replaces this one, on both pages.
  const showDelivery = (delivery: string) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, rule: undefined, dialog: undefined, delivery }),
    });
  return (
    <Group gap="xs">
      {source ? (
        <GuardedButton
          variant="filled"
          reason={offReasonOf(source)}
          leftSection={<IconSend size={14} />}
          onClick={() => setIsTesting(true)}
        >
          Send test
        </GuardedButton>
      ) : null}
      <Button
        variant="default"
        leftSection={<IconPencil size={14} />}
        renderRoot={(props) => <WorkspaceLink {...toTab(rule, { rule: rule.id, edit: true })} {...props} />}
      >
        Change
      </Button>
      <Button
        variant="default"
        leftSection={<IconCopy size={14} />}
        renderRoot={(props) => <WorkspaceLink {...toTab(rule, { create: true, copy: rule.id })} {...props} />}
      >
        Duplicate
      </Button>
      {source ? (
        <TestDialog
          source={source}
          isOpen={isTesting}
          onClose={() => setIsTesting(false)}
          onShow={showDelivery}
        />
      ) : null}
    </Group>
  );
}

/** The drawer is also on the page of a source, so its links name the tab. */
const toTab = ({ webinarId }: Pick<Rule, 'webinarId'>, search: AutomationsSearch) => ({
  to: '/w/$workspaceId/webinars/$webinarId/automations' as const,
  params: { webinarId },
  search,
});

/** The rule does not fire for those who meet a condition later. Offers a second rule for them. */
function RuleTiming({ rule }: { rule: Rule }) {
  const records = useWebinarRecords(rule.webinarId);
  const triggers = useTriggers();
  const rules = useRules(rule.webinarId).data?.data;
  const second = offersOf(rule, records.interactions).find(({ kind }) => kind === 'second');
  if (second && (!rules || rules.some((other) => isSameTiming(other, second)))) return null;
  const texts = { triggers, names: namesOf(records), connections: undefined };
  return (
    <LateConditions rule={rule} texts={texts}>
      {second ? (
        <WorkspaceLink {...toTab(rule, { create: true, copy: rule.id, second: true })}>
          Make a second rule: when {sentenceText(triggerParts(second.trigger, texts))}
        </WorkspaceLink>
      ) : null}
    </LateConditions>
  );
}

function RuleFacts({ rule }: { rule: Rule }) {
  const source = ruleToSource(rule);
  const form = useTriggers()?.find(({ type }) => type === rule.trigger.type);
  return (
    <Facts
      facts={[
        [
          'State',
          <Status key="state" tone={rule.enabled ? 'good' : 'quiet'} isHollow={!rule.enabled}>
            {rule.enabled ? 'Enabled' : 'Off'}
          </Status>,
        ],
        [
          'Endpoint',
          source && (
            <span key="url">
              <code>{source.url}</code> <CopyAction text={source.url} label="Copy endpoint URL" />
            </span>
          ),
        ],
        ['Health', source && <HealthBadge key="health" health={source.health} isHalted={source.isHalted} />],
        ['Fires', form && firesText(rule, form)],
        ['Last fired', <RelativeTime key="fired" at={rule.lastFiredAt} never="Not lately" />],
        [
          'History',
          <Group key="history" gap="sm">
            {source ? <SourceLink source={{ ...source, name: 'Deliveries' }} /> : null}
            <WorkspaceLink {...toTab(rule, { view: 'executions', of: rule.id })}>Executions</WorkspaceLink>
          </Group>,
        ],
        ['Created', <RelativeTime key="created" at={rule.createdAt} />],
        ['Changed', <RelativeTime key="changed" at={rule.updatedAt} />],
        ['Rule id', <CopyableId key="id" id={rule.id} name="rule id" />],
      ]}
    />
  );
}

/** The e-mails that the rule sends, each with a test to the reader. */
function RuleEmails({ rule: { webinarId, actions } }: { rule: Rule }) {
  const emails = actions.filter((action) => action.type === 'email');
  return emails.map(({ id, to, purpose, subject, text }) => (
    <Part key={id} title={to === 'attendee' ? 'E-mail to the attendee' : 'E-mail to the members'}>
      <div className={`${styles['sentence']} ${styles['email']}`}>
        <strong>{subject}</strong>
        <p className={styles['text']}>{text}</p>
      </div>
      <TestMail which={{ webinarId, kind: 'rule', purpose }} draft={{ subject, text }} />
    </Part>
  ));
}

/** The contacts that the rule updates. */
const RuleUpdates = ({ rule: { actions } }: { rule: Rule }) =>
  actions.map((action) =>
    action.type === 'integration' ? <RuleUpdate key={action.id} action={action} /> : null,
  );

type Update = Extract<Rule['actions'][number], { type: 'integration' }>;

/** The fields, tags, lists and events of one tool. */
function RuleUpdate({ action: { connectionId, fields, tags, lists, event } }: { action: Update }) {
  const { connections } = useToolConnections();
  // A tool that does not answer leaves the keys of fields and the ids of lists.
  const connection = connections?.find(({ id }) => id === connectionId);
  const catalogue = useCatalogue(connection ?? { id: connectionId }).data;
  const fieldName = (key: string) => catalogue?.fields.find((one) => one.key === key)?.label ?? key;
  const listNames = (ids: readonly string[]): string | null =>
    ids.map((id) => catalogue?.lists.find((one) => one.id === id)?.name ?? id).join(', ') || null;
  return (
    <Part title={`Contact in ${connectionName(connections, connectionId).text}`}>
      <Facts
        facts={[
          ...fields.map(({ key, from, value, policy }): Fact => [
            fieldName(key),
            `${from === undefined ? `“${String(value)}”` : sourceLabels[from]}${policyText(policy)}`,
          ]),
          ['Tags added', tags.add.join(', ') || null],
          ['Tags removed', tags.remove.join(', ') || null],
          ['Lists added', listNames(lists.add)],
          ['Lists removed', listNames(lists.remove)],
          ['Event', event?.name],
        ]}
      />
    </Part>
  );
}

const policyText = (policy: Update['fields'][number]['policy']): string =>
  policy === 'always' ? '' : `, ${policies.find(({ value }) => value === policy)!.label.toLowerCase()}`;

function RuleSecret({ rule }: { rule: Rule }) {
  const client = useTRPCClient();
  const changed = useInvalidation((trpc) => [trpc.automations.rules]);
  const { webinarId, id: ruleId, name, secretLast4, secretRotatedAt } = rule;
  const { rules } = client.automations;
  const rotate = async () => {
    const { data } = await rules.rotateSecret.mutate({ webinarId, ruleId });
    await changed();
    return data.secret;
  };
  return (
    <SecretField
      name={name}
      secretLast4={secretLast4 ?? ''}
      rotatedAt={secretRotatedAt ?? rule.createdAt}
      reveal={async () => (await rules.reveal.query({ webinarId, ruleId })).data.secret}
      rotate={rotate}
      rotateCall={sourceApiCall({ kind: 'rule', webinarId, id: ruleId }, 'rotateSecret')}
    />
  );
}

interface DeleteRuleProps {
  rule: Rule;
  onClose: () => void;
}

/** Asks before a rule is deleted. */
export function DeleteRule({ rule, onClose }: DeleteRuleProps) {
  const { automations } = useTRPCClient();
  const changed = useInvalidation((trpc) => [trpc.automations.rules.list]);
  const params = { webinarId: useWebinarId(), ruleId: rule.id };
  return (
    <Question
      text={
        <>
          The rule stops at once: nothing more is sent
          {rule.action ? (
            <>
              {' '}
              to <code>{rule.action.url}</code>
            </>
          ) : null}
          . Deliveries and e-mails of it that still wait are cancelled, its timers do not come, and its secret
          is gone.{' '}
          {rule.actions.some(({ type }) => type === 'integration')
            ? 'Waiting changes of contacts are still sent. '
            : null}
          Its executions and deliveries stay readable. This cannot be undone; to pause, switch the rule off
          instead.
        </>
      }
      confirm="Delete rule"
      apiCall={{ operation: 'DELETE /webinars/{webinarId}/automations/{ruleId}', params }}
      act={() => automations.rules.delete.mutate(params)}
      changed={changed}
      onClose={onClose}
    />
  );
}
