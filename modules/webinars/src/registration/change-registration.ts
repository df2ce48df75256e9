import type { AccountWriter } from '@service/database';
import type { z } from 'zod';
import { webinarErrors } from '../errors.ts';
import { lockRegistration } from './find-registration.ts';
import type { Registration } from './registration.ts';
import type { RegistrationInput } from './schemas.ts';

type Where = z.output<typeof RegistrationInput>;

/** Frees the session's place for that e-mail address. Cancelling again changes nothing. Throws registration_not_found. */
export async function cancelRegistration(tx: AccountWriter, where: Where): Promise<Registration> {
  const registration = await lockRegistration(tx, where);
  if (registration.status === 'cancelled') return registration;
  registration.status = 'cancelled';
  registration.cancelledAt = tx.now;
  await tx.em.flush();
  return registration;
}

/** Makes a new join link; the one before is worth nothing from now on. Throws registration_not_found, registration_cancelled. */
export async function rotateToken(tx: AccountWriter, where: Where): Promise<Registration> {
  const registration = await lockRegistration(tx, where);
  if (registration.status === 'cancelled') throw webinarErrors.registration_cancelled();
  registration.tokenVersion += 1;
  await tx.em.flush();
  return registration;
}
