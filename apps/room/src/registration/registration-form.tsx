import type { WebinarPage } from '@service/attendees';
import { useEffect, useRef, type FormEvent } from 'react';
import { useTexts } from '../page/texts.tsx';
import { TimeChoice, type Slot } from '../page/time-choice.tsx';
import type { Zones } from '../page/session-time.tsx';
import { ZoneChoice } from '../page/zone-choice.tsx';
import { Field } from '../page/field.tsx';
import { findProblems, nameOfField, readForm } from './form-values.ts';
import styles from './registration-form.module.css';
import type { useRegistration } from './use-registration.ts';

interface RegistrationFormProps {
  page: WebinarPage;
  slot: Slot | undefined;
  onSlot: (startsAt: string) => void;
  zones: Zones;
  onZone: (zone: string) => void;
  registration: ReturnType<typeof useRegistration>;
}

export function RegistrationForm({ page, slot, onSlot, zones, onZone, registration }: RegistrationFormProps) {
  const texts = useTexts();
  const { form, slots, webinar } = page;
  const { problems, failure, isSending, send, show } = registration;
  const element = useRef<HTMLFormElement>(null);
  const isOnDemand = slot?.kind === 'on_demand';
  const count = Object.keys(problems).length;

  useEffect(() => {
    if (Object.keys(problems).length > 0)
      element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [problems]);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isSending) return;
    const answers = readForm(new FormData(event.currentTarget), form);
    const found = {
      ...(slot === undefined && { sessionTime: texts.form.requiredTime }),
      ...findProblems(answers, form, texts),
    };
    if (Object.keys(found).length > 0) return show(found);
    // Without a time the server takes the present minute.
    void send(answers, isOnDemand ? undefined : slot?.startsAt);
  }

  return (
    <form ref={element} className={styles['form']} noValidate onSubmit={submit}>
      <h2 className={styles['title']}>
        {isOnDemand && slots.length === 1 ? texts.form.onDemandTitle : texts.form.title}
      </h2>
      <div>
        <TimeChoice
          legend={slots.length > 1 ? texts.times.title : texts.times.oneTitle}
          slots={slots}
          durationSeconds={webinar.durationSeconds}
          zones={zones}
          value={slot?.startsAt}
          onChange={onSlot}
          problem={problems['sessionTime']}
        />
        {slots.some(({ kind }) => kind !== 'on_demand') && (
          <ZoneChoice
            zone={zones.zone}
            webinarZone={webinar.timezone}
            at={slots[0]!.startsAt}
            until={slots.at(-1)!.startsAt}
            onChange={onZone}
          />
        )}
      </div>
      <Field
        {...{ name: 'name', label: texts.form.name, type: 'text', required: true, autoComplete: 'name' }}
        problem={problems['name']}
      />
      <Field
        {...{ name: 'email', label: texts.form.email, type: 'email', required: true, autoComplete: 'email' }}
        problem={problems['email']}
      />
      {form.fields.map((field) => (
        <Field
          key={field.key}
          name={nameOfField(field)}
          label={field.label}
          type={field.type}
          required={field.required}
          options={field.options}
          autoComplete={field.type === 'phone' ? 'tel' : undefined}
          problem={problems[nameOfField(field)]}
        />
      ))}
      <div className={styles['trap']} aria-hidden="true">
        <label>
          {texts.form.honeypot}
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      {form.consentText !== null && (
        <Field
          name="consent"
          label={form.consentText}
          type="checkbox"
          required={false}
          problem={problems['consent']}
        />
      )}
      <div role="alert">
        {failure !== undefined && <p className={styles['failure']}>{failure}</p>}
        {count > 1 && <p className={styles['failure']}>{texts.form.problems(count)}</p>}
      </div>
      <button
        type="submit"
        className={`button ${styles['submit']}`}
        aria-disabled={isSending || undefined}
        aria-busy={isSending || undefined}
      >
        {isSending && <span className="spinner" aria-hidden="true" />}
        {isSending ? texts.form.sending : isOnDemand ? texts.form.submitOnDemand : texts.form.submit}
      </button>
      <p className={styles['note']}>{page.linksByMailOnly ? texts.form.byMail : texts.form.free}</p>
    </form>
  );
}
