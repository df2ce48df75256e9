import type { AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import { lockFreePlaces, publicTitleOf, type Session, type Webinar } from '@service/webinars';
import type { z } from 'zod';
import type { EventSubscriber } from '../event/event-subscriber.ts';
import type { JoinLinks } from '../registration/join-token.ts';
import type { RegisterInput } from '../registration/register.ts';
import { RegistrantRow } from '../registration/registrant-input.ts';
import type { Registered } from '../registration/upsert-registrations.ts';
import { calendarLinksOf } from './calendar-links.ts';
import type { RegistrationPageInput, RegistrationPageOutput } from './schemas.ts';

interface PageForm {
  webinar: Webinar;
  input: z.output<typeof RegistrationPageInput>;
}

/** The registration that a form of the page asks for. Throws validation_failed. */
export function registrationOf({ webinar, input }: PageForm): RegisterInput {
  if (webinar.registrationForm.fields.length === 0) refuseAnswers(input.customFields);
  const { clickIds, consent, website: _website, formToken: _formToken, ...fields } = input;
  const { consentText } = webinar.registrationForm;
  const registrant = RegistrantRow.parse({
    ...fields,
    metadata: clickIds,
    consent: consentText === null ? null : { given: consent ?? false },
  });
  return { ...registrant, webinarId: webinar.id, source: 'page' };
}

interface PageParts {
  webinar: Webinar;
  subscriber: EventSubscriber;
  joinLinks: Pick<JoinLinks, 'urlOf'>;
}

/**
 * The answer to a form of the page. It has the join link only of a registration that this call has made. For an address that is
 * registered already, the link is mailed again. `full`: refuse the call with session_full after the commit, because a mail was queued.
 */
export async function answerForm(
  tx: AccountWriter,
  { registration, session, created }: Registered,
  { webinar, subscriber, joinLinks }: PageParts,
): Promise<RegistrationPageOutput | 'full'> {
  const { linksByMailOnly } = webinar.registrationPage;
  if (!created) {
    await subscriber.onLinkRequested?.(tx, registration);
    // A stranger is refused. If the registered person were not, the answer would say that they are.
    if (linksByMailOnly && (await isFull(tx, webinar, session))) return 'full';
  }
  if (!created || linksByMailOnly) return linkByMail;
  const joinUrl = joinLinks.urlOf(registration);
  const { id, kind, startsAt, endsAt } = session;
  return {
    state: 'registered',
    joinUrl,
    session: { id, kind, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() },
    calendar: calendarLinksOf({ title: publicTitleOf(webinar), joinUrl, session }),
  };
}

export const linkByMail: RegistrationPageOutput = { state: 'link_by_mail' };

async function isFull(
  tx: AccountWriter,
  { registrationForm: { capacityPerSession } }: Webinar,
  session: Session,
): Promise<boolean> {
  return capacityPerSession !== null && (await lockFreePlaces(tx, session, capacityPerSession)) <= 0;
}

/** A form without fields accepts any answers of integrators, but a stranger must not store texts that the form has no field for. */
function refuseAnswers(customFields: Readonly<Record<string, string>>): void {
  const issues = Object.keys(customFields).map((key) => ({
    path: `customFields.${key}`,
    message: 'Unknown field.',
  }));
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
}
