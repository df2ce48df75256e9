import { Text } from '@mantine/core';
import { skipReasons } from '@service/catalogue';
import { Link } from '@tanstack/react-router';
import { CopyableId } from '../../../components/copy.tsx';
import { Facts } from '../../../components/facts.tsx';
import { formatExact } from '../../../format.ts';
import { useWorkspace } from '../../../workspace.ts';
import { ConditionResults } from './condition-results.tsx';
import type { Execution } from './use-executions.ts';

interface ExecutionDetailsProps {
  webinarId: string;
  execution: Execution;
}

/** The reason, each condition with the expected and the actual value, and the delivery. */
export function ExecutionDetails({ webinarId, execution }: ExecutionDetailsProps) {
  const { workspace } = useWorkspace();
  const { skipReason, conditions, deliveryId, createdAt, eventType, id } = execution;
  const to = '/w/$workspaceId/webinars/$webinarId/automations' as const;
  return (
    <div>
      {skipReason ? (
        <Text size="sm" mb={6}>
          It did not fire, because {skipReasons[skipReason].because}.
        </Text>
      ) : null}
      {conditions.length > 0 ? (
        <ConditionResults webinarId={webinarId} results={conditions} />
      ) : skipReason === 'condition_not_met' ? null : (
        <Text size="sm" c="dimmed">
          No condition was evaluated.
        </Text>
      )}
      <Facts
        facts={[
          ['Evaluated', formatExact(createdAt)],
          ['Event', <code key="event">{eventType}</code>],
          ...(deliveryId
            ? ([
                [
                  'Delivery',
                  <Link
                    key="delivery"
                    from={to}
                    to={to}
                    params={{ workspaceId: workspace.id, webinarId }}
                    search={(before) => ({ ...before, delivery: deliveryId })}
                  >
                    Open the delivery
                  </Link>,
                ],
              ] as const)
            : []),
          ['Execution id', <CopyableId key="id" id={id} name="execution id" />],
        ]}
      />
    </div>
  );
}
