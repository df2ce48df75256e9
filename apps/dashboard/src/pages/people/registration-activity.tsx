import { Stack, Text } from '@mantine/core';
import { Part } from '../../components/facts.tsx';
import type { PersonRegistration } from '../../trpc.ts';
import { ExecutionList } from '../webinar/automations/execution-list.tsx';
import { PersonSends } from '../webinar/person-sends.tsx';
import { RegistrationDeliveries } from '../webinar/registrations/registration-deliveries.tsx';
import { RegistrationMails } from '../webinar/registrations/registration-mails.tsx';

interface RegistrationActivityProps {
  registration: PersonRegistration;
  onShowDelivery: (deliveryId: string) => void;
}

/** What was sent for one registration, and why. The same parts as in its drawer. */
export function RegistrationActivity({ registration, onShowDelivery }: RegistrationActivityProps) {
  const { webinarId, id: registrationId } = registration;
  return (
    <Stack gap="lg" mt="xs">
      <Part title="E-mails">
        <RegistrationMails registration={registration} />
      </Part>
      <Part title="Marketing tools">
        <PersonSends
          webinarId={webinarId}
          registrationId={registrationId}
          empty="Nothing was sent to a marketing tool about this registration."
        />
      </Part>
      <Part title="Webhooks">
        <RegistrationDeliveries registration={registration} onOpen={onShowDelivery} />
      </Part>
      <Part title="Rules">
        <ExecutionList
          webinarId={webinarId}
          registrationId={registrationId}
          empty={
            <Text size="sm" c="dimmed">
              No rule was evaluated for this registration.
            </Text>
          }
        />
      </Part>
    </Stack>
  );
}
