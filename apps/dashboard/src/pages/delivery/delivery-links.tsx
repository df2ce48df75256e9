import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { CopyAction } from '../../components/copy.tsx';
import { useTRPC } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';

interface AttendeeLinkProps {
  webinarId: string;
  registrationId: string;
}

/** The name and the e-mail address of an attendee, as a link to the registration. */
export function AttendeeLink({ webinarId, registrationId }: AttendeeLinkProps) {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const { data } = useQuery(trpc.registrations.byIds.queryOptions({ ids: [registrationId] }));
  const registration = data?.data[0];
  return (
    <span>
      <Link
        to="/w/$workspaceId/webinars/$webinarId/registrations"
        params={{ workspaceId: workspace.id, webinarId }}
        search={{ registration: registrationId }}
      >
        {registration ? `${registration.name} (${registration.email})` : `…${registrationId.slice(-12)}`}
      </Link>{' '}
      <CopyAction text={registrationId} label="Copy registration id" />
    </span>
  );
}

/** The execution that sent a delivery: the event and the values of the conditions. */
export function ExecutionLink({ webinarId, executionId }: { webinarId: string; executionId: string }) {
  const { workspace } = useWorkspace();
  return (
    <Link
      to="/w/$workspaceId/webinars/$webinarId/automations"
      params={{ workspaceId: workspace.id, webinarId }}
      search={{ view: 'executions', execution: executionId }}
    >
      The event and its conditions
    </Link>
  );
}
