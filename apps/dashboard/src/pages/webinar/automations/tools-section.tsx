import { Button, Skeleton, Switch } from '@mantine/core';
import { IconPlugConnected } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ListResult } from '../../../components/load-more.tsx';
import { Section } from '../../../components/section.tsx';
import { ConnectionStatus } from '../../../components/status.tsx';
import { formatWaiting } from '../../../format.ts';
import { useTRPC, type Connection } from '../../../trpc.ts';
import { useWorkspace, WorkspaceLink } from '../../../workspace.ts';
import { useToolConnections } from '../../settings/marketing-tools/tool-connections.ts';
import { showRefusal } from '../show-refusal.ts';
import { useInvalidation } from '../use-invalidation.ts';
import { useWebinarId } from '../use-webinar.ts';
import styles from './automations.module.css';

/** The marketing tools that get the registrants of the webinar without a rule. */
export function ToolsSection() {
  const { workspace } = useWorkspace();
  const { connections: tools, error, refetch } = useToolConnections();
  const isOwner = workspace.role === 'owner';
  const settings = (
    <Button
      variant="default"
      renderRoot={(props) => <WorkspaceLink to="/w/$workspaceId/settings/marketing-tools" {...props} />}
    >
      Settings of marketing tools
    </Button>
  );
  return (
    <Section
      title="Marketing tools"
      text={`A tool that is switched on gets every registrant of this webinar, without a rule.${isOwner ? '' : ' Only owners switch tools on and off.'}`}
      action={tools?.length ? settings : null}
      apiCall={{ operation: 'GET /connections', params: {} }}
    >
      <ListResult
        items={tools}
        error={error}
        refetch={refetch}
        empty={
          <EmptyState icon={IconPlugConnected} title="No marketing tool is connected" action={settings}>
            Owners connect HubSpot, Mailchimp, Klaviyo or another tool in Settings. The tool then gets
            everybody who registers, and what they attended, watched and bought.
          </EmptyState>
        }
      >
        <ul className={styles['list']} aria-label="Marketing tools" aria-busy={!tools}>
          {tools?.map((tool) => <ToolItem key={tool.id} tool={tool} isOwner={isOwner} />) ?? (
            <li className={styles['item']}>
              <Skeleton height={16} width={28} radius="xl" />
              <Skeleton height={34} />
            </li>
          )}
        </ul>
      </ListResult>
    </Section>
  );
}

function ToolItem({ tool, isOwner }: { tool: Connection; isOwner: boolean }) {
  const { id: connectionId, name, state, settings, waiting } = tool;
  const trpc = useTRPC();
  const webinarId = useWebinarId();
  const changed = useInvalidation((trpc) => [trpc.connections.list]);
  const { mutate, isPending, variables } = useMutation(
    trpc.connections.leaveOutWebinar.mutationOptions({
      onSettled: changed,
      onError: (error) => showRefusal(`“${name}” is unchanged`, error),
    }),
  );
  const isInStep = settings.sync?.enabled === true;
  const isLeftOut = isPending
    ? variables.isLeftOut
    : settings.sync?.webinarsLeftOut.includes(webinarId) === true;
  return (
    <li className={styles['item']}>
      <div className={styles['switch']}>
        <Switch
          aria-label={`Send the registrants of this webinar to ${name}`}
          checked={isInStep && !isLeftOut}
          disabled={!isInStep || !isOwner}
          onChange={(event) => mutate({ connectionId, webinarId, isLeftOut: !event.currentTarget.checked })}
        />
      </div>
      <div style={{ minWidth: 0 }}>
        <WorkspaceLink
          to="/w/$workspaceId/settings/marketing-tools/$connectionId"
          params={{ connectionId }}
          className={styles['name']}
        >
          {name}
        </WorkspaceLink>
        <div className={styles['facts']}>
          <span>
            {isInStep
              ? isLeftOut
                ? 'This webinar is left out.'
                : 'Every registrant is kept in step.'
              : 'Off in its settings: only rules update contacts.'}
          </span>
          {waiting && waiting.people > 0 ? (
            <span>Waiting in the workspace: {formatWaiting(waiting.people)}</span>
          ) : null}
        </div>
      </div>
      <ConnectionStatus state={state} />
    </li>
  );
}
