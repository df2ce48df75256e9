import type { Webinar } from '../../../trpc.ts';
import { textOrNull } from '../fields.ts';

export type PageValues = ReturnType<typeof pageOf>;
export type FormFieldValues = PageValues['registrationForm']['fields'][number];

/** The fields of the tab as inputs show them. Every path is that of the API. */
export const pageOf = ({ registrationForm }: Webinar) => ({
  registrationForm: {
    fields: registrationForm.fields.map((field) => ({
      ...field,
      /** Its key still follows its label. */
      isNew: false,
    })),
    consentText: registrationForm.consentText ?? '',
    capacityPerSession: registrationForm.capacityPerSession,
  },
});

/** The fields of a PATCH. Empty lines of the options are dropped. */
export const pageToFields = ({ registrationForm }: PageValues) => ({
  registrationForm: {
    fields: registrationForm.fields.map(({ key, label, type, required, options }) => ({
      key,
      label,
      type,
      required,
      options: type === 'select' ? options.filter((option) => option.trim() !== '') : [],
    })),
    consentText: textOrNull(registrationForm.consentText),
    capacityPerSession: registrationForm.capacityPerSession,
  },
});

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
