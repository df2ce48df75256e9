// The webinar of the demo workspace: a video about the service, with everything that can appear beside it.
import { CreateInteractionInput, CreateWebinarInput, onceAt } from '@service/webinars';

/** Length of apps/room/public/demo.webm. */
const videoSeconds = 85;

/** A schedule has at most fifty recurrences. */
const sessionsAhead = 50;
const everyMinutes = 3;
const minuteMs = 60_000;

/** The start of the service needs some of it. */
const startMs = 15_000;

/** A session at the next full minute that is not too near, and then every three minutes; later ones are made when somebody asks for one. */
export const demoWebinar = (baseUrl: string, now: Date) =>
  CreateWebinarInput.parse({
    title: 'A short tour of your webinars',
    description:
      'See a webinar as your attendees see it: the video plays for everybody at the same second, and a poll, a file and an offer appear at their time.',
    durationSeconds: videoSeconds,
    video: {
      source: 'url',
      url: `${baseUrl}/room-assets/demo.webm`,
      posterUrl: `${baseUrl}/room-assets/demo.webp`,
      captionsUrl: `${baseUrl}/room-assets/demo.vtt`,
    },
    schedule: {
      timezoneMode: 'viewer',
      recurrences: Array.from({ length: sessionsAhead }, (_unused, index) =>
        onceAt(
          new Date((Math.floor((now.getTime() + startMs) / minuteMs) + 1 + index * everyMinutes) * minuteMs),
        ),
      ),
      justInTime: { intervalMinutes: 15 },
      onDemand: true,
    },
    replay: { enabled: true },
    registrationPage: {
      presenters: [{ name: 'Robin Sample', title: 'Your presenter', imageUrl: null }],
      takeaways: [
        'How one recording serves every time zone',
        'When polls, files and offers appear',
        'Where your tools learn what people did',
      ],
    },
  });

export const demoInteractions = (baseUrl: string, webinarId: string) =>
  [
    {
      type: 'cta',
      internalName: 'Reference',
      headline: 'Everything here is an API',
      body: 'The reference has an example for each call.',
      display: 'banner',
      showAtSeconds: 4,
      hideAtSeconds: 32,
      url: `${baseUrl}/api/v1/docs`,
      buttonLabel: 'Open the reference',
    },
    {
      type: 'handout',
      internalName: 'Captions of the video',
      headline: 'The words of this tour',
      body: 'The captions of the video as a file.',
      display: 'panel',
      showAtSeconds: 18,
      url: `${baseUrl}/room-assets/demo.vtt`,
      fileName: 'tour.vtt',
    },
    {
      type: 'poll',
      internalName: 'Plans',
      headline: 'What do you plan first?',
      showAtSeconds: 34,
      options: [
        { id: 'weekly', label: 'A weekly webinar' },
        { id: 'on_demand', label: 'An on-demand webinar' },
        { id: 'launch', label: 'A launch' },
      ],
      results: 'after_vote',
    },
    {
      type: 'offer',
      internalName: 'Starter plan',
      headline: 'Starter plan',
      body: 'An example of an offer. The click is recorded, and the address gets its id.',
      showAtSeconds: 60,
      url: `${baseUrl}/api/v1/docs`,
      buttonLabel: 'See the offer',
      priceMinor: 7900,
      currency: 'EUR',
      couponCode: 'TOUR20',
      countdownSeconds: 25,
    },
  ].map((fields) => CreateInteractionInput.parse({ webinarId, ...fields }));
