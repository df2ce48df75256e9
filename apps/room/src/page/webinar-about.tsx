import type { WebinarPage } from '@service/attendees';
import { IconCircleCheckFilled } from '@service/icons';
import { useState } from 'react';
import { useTexts } from './texts.tsx';
import styles from './webinar-about.module.css';

type Webinar = Pick<WebinarPage['webinar'], 'presenters' | 'takeaways'>;
type Presenter = Webinar['presenters'][number];

/** The points that attendees will learn, the rest of the description, and the presenters. Nothing for a webinar without them. */
export function WebinarAbout({ webinar, about }: { webinar: Webinar; about: string }) {
  const texts = useTexts().page;
  const { presenters, takeaways } = webinar;
  if (takeaways.length === 0 && presenters.length === 0 && about === '') return null;
  return (
    <div className={styles['about']}>
      {takeaways.length > 0 && (
        <section>
          <h2 className={styles['heading']}>{texts.takeaways}</h2>
          <ul className={styles['takeaways']}>
            {takeaways.map((takeaway) => (
              <li key={takeaway}>
                <IconCircleCheckFilled size={22} aria-hidden="true" />
                <span>{takeaway}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {about !== '' && (
        <section>
          <h2 className={styles['heading']}>{texts.about}</h2>
          <p className={styles['text']}>{about}</p>
        </section>
      )}
      {presenters.length > 0 && (
        <section>
          <h2 className={styles['heading']}>{texts.presenters(presenters.length)}</h2>
          <ul className={styles['presenters']}>
            {presenters.map((presenter) => (
              <li key={presenter.name} className={styles['presenter']}>
                <Portrait presenter={presenter} />
                <span>
                  <span className={styles['name']}>{presenter.name}</span>
                  {presenter.title !== null && <span className={styles['role']}>{presenter.title}</span>}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** The picture of a presenter, or the initials without one. */
export function Portrait({ presenter: { name, imageUrl } }: { presenter: Presenter }) {
  const [isBroken, setBroken] = useState(false);
  if (imageUrl !== null && !isBroken)
    return (
      <img
        className={styles['portrait']}
        src={imageUrl}
        alt=""
        loading="lazy"
        onError={() => setBroken(true)}
      />
    );
  return (
    <span className={styles['portrait']} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}
