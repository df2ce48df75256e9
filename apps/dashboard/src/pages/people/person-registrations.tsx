import { Button, Skeleton, Stack } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@service/icons';
import { lazy, Suspense, useState } from 'react';
import itemStyles from '../../components/item-list.module.css';
import { SessionTime } from '../../components/session-time.tsx';
import { Status } from '../../components/status.tsx';
import type { PersonRegistration } from '../../trpc.ts';
import { WorkspaceLink } from '../../workspace.ts';
import { WatchBar } from '../webinar/registrations/registration-row.tsx';
import { statusStyles } from '../webinar/registrations/registration-texts.ts';
import { stripText } from './person-texts.ts';
import styles from './people.module.css';

// Loaded when a registration is opened.
const RegistrationActivity = lazy(async () => ({
  default: (await import('../webinar/registrations/registration-details.tsx')).RegistrationActivity,
}));

interface PersonRegistrationsProps {
  registrations: readonly PersonRegistration[];
  onShowDelivery: (deliveryId: string) => void;
}

export const PersonRegistrations = ({ registrations, onShowDelivery }: PersonRegistrationsProps) => (
  <ul className={itemStyles['rows']} aria-label="Registrations">
    {registrations.map((registration) => (
      <li key={registration.id}>
        <OneRegistration registration={registration} onShowDelivery={onShowDelivery} />
      </li>
    ))}
  </ul>
);

interface OneRegistrationProps {
  registration: PersonRegistration;
  onShowDelivery: (deliveryId: string) => void;
}

function OneRegistration({ registration, onShowDelivery }: OneRegistrationProps) {
  const [isOpen, setOpen] = useState(false);
  const { id, webinarId, webinarTitle, webinarStatus, watchedParts } = registration;
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Stack gap="xs">
      <div className={styles['head']}>
        {webinarStatus === null ? (
          <span>{webinarTitle} (deleted)</span>
        ) : (
          <WorkspaceLink
            className={styles['title']}
            to="/w/$workspaceId/webinars/$webinarId/registrations"
            params={{ webinarId }}
            search={{ registration: id }}
          >
            {webinarTitle}
            {webinarStatus === 'archived' ? ' (archived)' : ''}
          </WorkspaceLink>
        )}
        <SessionTime at={registration.sessionTime} timeZone={registration.timezone} />
        <Status {...statusStyles[registration.status]} />
        <WatchBar attendance={registration.attendance} />
      </div>
      {watchedParts.length > 0 ? <Strip parts={watchedParts} /> : null}
      {webinarStatus === null ? null : (
        <div>
          <Button
            variant="subtle"
            color="gray"
            px={4}
            leftSection={<Icon size={14} />}
            aria-expanded={isOpen}
            aria-label={`E-mails, webhooks and rules of ${webinarTitle}`}
            onClick={() => setOpen(!isOpen)}
          >
            E-mails, webhooks and rules
          </Button>
          {isOpen ? (
            <Suspense fallback={<Skeleton height={160} aria-busy />}>
              <RegistrationActivity
                registration={registration}
                isReadOnly={webinarStatus === 'archived'}
                onOpenDelivery={onShowDelivery}
              />
            </Suspense>
          ) : null}
        </div>
      )}
    </Stack>
  );
}

/** The parts of a video, the darker the more of a part was watched. */
const Strip = ({ parts }: { parts: readonly number[] }) => (
  <div className={styles['strip']} role="img" aria-label={stripText(parts)}>
    {parts.map((percent, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- parts never move
      <span key={index} style={{ opacity: percent / 100 }} />
    ))}
  </div>
);
