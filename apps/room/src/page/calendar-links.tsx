import { IconBrandGoogle, IconBrandWindows, IconCalendarDown } from '@service/icons';
import styles from './calendar-links.module.css';
import { useTexts } from './texts.tsx';

interface CalendarLinksProps {
  calendar: { icsUrl: string; googleUrl: string; outlookUrl: string };
}

export function CalendarLinks({ calendar: { icsUrl, googleUrl, outlookUrl } }: CalendarLinksProps) {
  const texts = useTexts().calendar;
  return (
    <section className={styles['calendar']}>
      <h2 className={styles['title']}>{texts.title}</h2>
      <div className={styles['links']}>
        <a className="button-quiet" href={googleUrl} target="_blank" rel="noreferrer">
          <IconBrandGoogle size={18} aria-hidden="true" />
          {texts.google}
        </a>
        <a className="button-quiet" href={outlookUrl} target="_blank" rel="noreferrer">
          <IconBrandWindows size={18} aria-hidden="true" />
          {texts.outlook}
        </a>
        <a className="button-quiet" href={icsUrl}>
          <IconCalendarDown size={18} aria-hidden="true" />
          {texts.file}
        </a>
      </div>
    </section>
  );
}
