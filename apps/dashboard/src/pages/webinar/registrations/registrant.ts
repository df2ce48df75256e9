// The values of the form that registers an attendee, and the input of the API that they become.
import { customFieldProblems, RegistrantRow } from '@service/attendees/inputs';
import type { Slot, Webinar } from '../../../trpc.ts';
import { validateBy } from '../../../zod-form.ts';

export const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const;

export interface RegistrantValues {
  name: string;
  email: string;
  phone: string;
  /** The start of a slot. */
  sessionTime: string;
  /** By field key. A checkbox is "true" or "". */
  customFields: Record<string, string>;
  consent: boolean;
  utm: Record<(typeof utmNames)[number], string>;
}

export const emptyRegistrant = (webinar: Webinar, slots: readonly Slot[]): RegistrantValues => ({
  name: '',
  email: '',
  phone: '',
  sessionTime: slots[0]?.startsAt ?? '',
  customFields: Object.fromEntries(webinar.registrationForm.fields.map(({ key }) => [key, ''])),
  consent: false,
  utm: { source: '', medium: '', campaign: '', term: '', content: '' },
});

/** Empty fields are left out. An on-demand session begins in the minute of the call, not in that of the form. */
export function toRegistrant(values: RegistrantValues, slots: readonly Slot[]) {
  const slot = slots.find(({ startsAt }) => startsAt === values.sessionTime);
  const utm = utmNames.map((name) => [name, values.utm[name].trim() || null] as const);
  return {
    name: values.name,
    email: values.email,
    ...(slot?.kind === 'on_demand' ? {} : { sessionTime: values.sessionTime }),
    ...(values.phone.trim() === '' ? {} : { phone: values.phone }),
    customFields: answersOf(values),
    ...(utm.some(([, value]) => value !== null) ? { utm: Object.fromEntries(utm) } : {}),
  };
}

const answersOf = ({ customFields }: RegistrantValues): Record<string, string> =>
  Object.fromEntries(Object.entries(customFields).filter(([, answer]) => answer.trim() !== ''));

/** The problems that the API would find, and the consent that only this form asks for. */
export function checkRegistrant(webinar: Webinar, slots: readonly Slot[]) {
  const { fields, consentText } = webinar.registrationForm;
  const check = validateBy(RegistrantRow, (values: RegistrantValues) => toRegistrant(values, slots));
  return (values: RegistrantValues): Record<string, string> => {
    const answers = customFieldProblems(fields, answersOf(values));
    return {
      ...Object.fromEntries(answers.map(({ path, message }) => [path, message])),
      ...(consentText !== null && !values.consent ? { consent: 'Required.' } : {}),
      ...check(values),
    };
  };
}
