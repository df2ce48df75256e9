import { Text } from '@mantine/core';
import { actualText, conditionParts, type Condition } from '@service/conditions';
import { skipReasons } from '@service/catalogue';
import { IconCheck, IconX } from '@service/icons';
import { Link } from '@tanstack/react-router';
import { useNames } from '../../../components/conditions/use-names.ts';
import { contactStatusStyles } from '../../../components/contact-sends.tsx';
import { CopyableId } from '../../../components/copy.tsx';
import { Facts, type Fact } from '../../../components/facts.tsx';
import { Sentence } from '../../../components/sentence.tsx';
import { Status } from '../../../components/status.tsx';
import { formatExact } from '../../../format.ts';
import { deliveryStyles } from '../../delivery/delivery-status.tsx';
import { connectionName, useToolConnections } from '../../settings/marketing-tools/tool-connections.ts';
import { mailStatusStyles, reasonText } from '../mails/mail-texts.ts';
import { PersonSends } from '../person-sends.tsx';
import styles from './rule-panels.module.css';
import type { Execution } from './use-executions.ts';

/** The reason, each condition with the expected and the actual value, and the outcome of each action. */
export function ExecutionDetails({ webinarId, execution }: { webinarId: string; execution: Execution }) {
  const { skipReason, conditions, deliveryId, actions, createdAt, eventType, id, registrationId } = execution;
  const emails = actions.filter((action) => action.type === 'email');
  const webhook = actions.find((action) => action.type === 'webhook');
  const updates = actions.filter((action) => action.type === 'integration');
  const { connections } = useToolConnections();
  const to = '/w/$workspaceId/webinars/$webinarId/automations' as const;
  return (
    <div>
      {skipReason ? (
        <Text size="sm" mb={6}>
          It did not fire, because {skipReasons[skipReason].because}.
        </Text>
      ) : null}
      {conditions.length > 0 ? (
        <ConditionResults webinarId={webinarId} results={conditions} time="At that time" />
      ) : skipReason === 'condition_not_met' ? null : (
        <Text size="sm" c="dimmed">
          No condition was evaluated.
        </Text>
      )}
      <Facts
        facts={[
          ['Evaluated', formatExact(createdAt)],
          ['Event', <code key="event">{eventType}</code>],
          [
            'Delivery',
            deliveryId && (
              <span key="delivery">
                {webhook ? <Status {...deliveryStyles[webhook.status]} /> : null}{' '}
                <Link from={to} to={to} search={(before) => ({ ...before, delivery: deliveryId })}>
                  Open the delivery
                </Link>
              </span>
            ),
          ],
          ...emails.map(({ actionId, status, reason }, index): Fact => [
            emails.length === 1 ? 'E-mail' : `E-mail ${index + 1}`,
            <span key={actionId}>
              <Status {...mailStatusStyles[status]} /> {reasonText(reason)}
            </span>,
          ]),
          ...updates.map(({ actionId, connectionId, status }, index): Fact => [
            updates.length === 1 ? 'Marketing tool' : `Marketing tool ${index + 1}`,
            <span key={actionId}>
              <Status {...contactStatusStyles[status]} /> {connectionName(connections, connectionId).text}
            </span>,
          ]),
          ['Execution id', <CopyableId key="id" id={id} name="execution id" />],
        ]}
      />
      {updates.length > 0 ? (
        <PersonSends
          webinarId={webinarId}
          registrationId={registrationId}
          executionId={id}
          empty="No send is recorded for this execution."
        />
      ) : null}
    </div>
  );
}

type Result = Execution['conditions'][number];

interface ConditionResultsProps {
  webinarId: string;
  results: readonly Result[];
  /** Of the values. */
  time: 'At that time' | 'Now';
}

/** Each condition with its result and the value of the attendee. */
export function ConditionResults({ webinarId, results, time }: ConditionResultsProps) {
  const names = useNames(webinarId);
  return (
    <ul className={styles['results']} aria-label={time === 'Now' ? 'Conditions now' : 'Conditions'}>
      {results.map((result, index) => {
        const Icon = result.passed ? IconCheck : IconX;
        return (
          // oxlint-disable-next-line react/no-array-index-key -- results have no identity
          <li key={index} className={styles['result']}>
            <Icon
              size={16}
              role="img"
              aria-label={result.passed ? 'Met' : 'Not met'}
              className={styles[result.passed ? 'passed' : 'failed']}
            />
            <span>
              <Sentence parts={conditionParts(toCondition(result), names)} />
            </span>
            <span className={styles['actual']}>
              {time}: {actualText(result, names)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** History leaves out values that are too long. */
const toCondition = ({ field, operator, expected }: Result): Condition => ({
  field,
  operator,
  value: (expected ?? '…') as Condition['value'],
});
