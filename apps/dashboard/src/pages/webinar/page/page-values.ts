import type { Webinar } from '../../../trpc.ts';
import { textOrNull } from '../fields.ts';

export type PageValues = ReturnType<typeof pageOf>;
export type FormFieldValues = PageValues['registrationForm']['fields'][number];

/** The fields of the tab as inputs show them. Every path is that of the API. */
export const pageOf = ({ registrationForm, registrationPage }: Webinar) => ({
  registrationForm: {
    fields: registrationForm.fields.map((field) => ({
      ...field,
      /** Its key still follows its label. */
      isNew: false,
    })),
    consentText: registrationForm.consentText ?? '',
    capacityPerSession: registrationForm.capacityPerSession,
  },
  registrationPage: {
    presenters: registrationPage.presenters.map(({ name, title, imageUrl }) => ({
      name,
      title: title ?? '',
      imageUrl: imageUrl ?? '',
    })),
    takeaways: registrationPage.takeaways,
    linksByMailOnly: registrationPage.linksByMailOnly,
  },
});

/** The fields of a PATCH. Empty lines of the options and of the list of points are dropped. */
export const pageToFields = ({ registrationForm, registrationPage }: PageValues) => ({
  registrationForm: {
    fields: registrationForm.fields.map(({ key, label, type, required, options }) => ({
      key,
      label,
      type,
      required,
      options: type === 'select' ? withoutBlanks(options) : [],
    })),
    consentText: textOrNull(registrationForm.consentText),
    capacityPerSession: registrationForm.capacityPerSession,
  },
  registrationPage: {
    presenters: registrationPage.presenters.map(({ name, title, imageUrl }) => ({
      name,
      title: textOrNull(title),
      imageUrl: textOrNull(imageUrl),
    })),
    takeaways: withoutBlanks(registrationPage.takeaways),
    linksByMailOnly: registrationPage.linksByMailOnly,
  },
});

const withoutBlanks = (lines: readonly string[]): string[] => lines.filter((line) => line.trim() !== '');

export const newField: FormFieldValues = {
  key: '',
  label: '',
  type: 'text',
  required: false,
  options: [],
  isNew: true,
};

export const fieldTypes = [
  { value: 'text', label: 'Text' },
  { value: 'email', label: 'E-mail address' },
  { value: 'phone', label: 'Phone number' },
  { value: 'select', label: 'One of several options' },
  { value: 'checkbox', label: 'Checkbox' },
] as const;

export const pageLabels: Record<string, string> = {
  'registrationForm.fields': 'Fields of the form',
  'registrationForm.consentText': 'Text of the consent checkbox',
  'registrationForm.capacityPerSession': 'Places per session',
  'registrationPage.presenters': 'Presenters',
  'registrationPage.takeaways': 'What attendees will learn',
  'registrationPage.linksByMailOnly': 'Send join links by e-mail only',
};

const lengthMax = 40;

/** The key of an answer, made from the label of its field: "Company size?" becomes `company_size`. Other fields keep their keys. */
export function labelToKey(label: string, taken: ReadonlySet<string>): string {
  const words = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
    .slice(0, lengthMax)
    .replace(/_+$/, '');
  const base = words || 'field';
  if (!taken.has(base)) return base;
  for (let number = 2; ; number += 1) {
    const numbered = `${base.slice(0, lengthMax - 4)}_${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}
