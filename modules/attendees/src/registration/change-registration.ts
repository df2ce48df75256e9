import type { AccountWriter } from '@service/database';
import { releasePlace } from '@service/webinars';
import type { z } from 'zod';
import type { Registration } from '../entities/registration.ts';
import { attendeeErrors } from '../errors.ts';
import { lockRegistration } from './find-registration.ts';
import type { RegistrationInput } from './schemas.ts';

type Where = z.output<typeof RegistrationInput>;

/** Frees the place in the session. Cancelling again changes nothing. Throws webinar_not_found, registration_not_found. */
export async function cancelRegistration(tx: AccountWriter, where: Where): Promise<Registration> {
  const registration = await lockRegistration(tx, where);
  if (registration.status === 'cancelled') return registration;
  registration.status = 'cancelled';
  registration.cancelledAt = tx.now;
  await tx.em.flush();
  releasePlace(tx, registration.sessionId);
  return registration;
}

/** Makes a new join link, and the old one stops working. Throws webinar_not_found, registration_not_found, registration_cancelled. */
export async function rotateToken(tx: AccountWriter, where: Where): Promise<Registration> {
  const registration = await lockRegistration(tx, where);
  if (registration.status === 'cancelled') throw attendeeErrors.registration_cancelled();
  registration.tokenVersion += 1;
  await tx.em.flush();
  return registration;
}
