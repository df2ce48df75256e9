import { Question } from '../../../components/dialog-form.tsx';
import { useTRPCClient, type Registration } from '../../../trpc.ts';
import { peopleText } from '../people-text.ts';
import { useRegistrationsChanged } from './use-registrations.ts';

interface CancelRegistrationsProps {
  registrations: readonly Registration[];
  onClose: () => void;
  onDone: () => void;
}

/** Asks before registrations are cancelled. */
export function CancelRegistrations({ registrations, onClose, onDone }: CancelRegistrationsProps) {
  const client = useTRPCClient();
  const changed = useRegistrationsChanged();
  const [first] = registrations;
  const isOne = registrations.length === 1;
  return (
    <Question
      text={
        <>
          <strong>{isOne ? first?.name : peopleText(registrations.length)}</strong>{' '}
          {isOne ? 'gives up the place. The join link stops' : 'give up their places. Their join links stop'}{' '}
          working, and rules before and after the session send nothing for {isOne ? 'this person' : 'them'}.
          No message is sent. A cancelled registration stays in the list; the person can register again.
        </>
      }
      confirm={isOne ? 'Cancel registration' : `Cancel ${registrations.length} registrations`}
      cancel="Keep"
      apiCall={
        isOne && first
          ? {
              operation: 'POST /webinars/{webinarId}/registrations/{registrationId}/cancel',
              params: { webinarId: first.webinarId, registrationId: first.id },
            }
          : undefined
      }
      act={() => cancelAll(client, registrations)}
      message={`${peopleText(registrations.length)} cancelled.`}
      onDone={onDone}
      // Some may be cancelled although another one failed.
      onSettled={changed}
      onClose={onClose}
    />
  );
}

/** Calls of one moment go in few requests. Cancelling again changes nothing, so it can be repeated after a failure. */
async function cancelAll(
  client: ReturnType<typeof useTRPCClient>,
  registrations: readonly Registration[],
): Promise<void> {
  const results = await Promise.allSettled(
    registrations.map(({ webinarId, id: registrationId }) =>
      client.registrations.cancel.mutate({ webinarId, registrationId }),
    ),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
