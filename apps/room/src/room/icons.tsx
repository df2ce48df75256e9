// The icons of the room, drawn as in the dashboard's set: 24 units, a line of 2.
import type { ReactNode } from 'react';

const draw = (paths: ReactNode) =>
  function Icon({ size = 20 }: { size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
      >
        {paths}
      </svg>
    );
  };

export const CloseIcon = draw(<path d="M18 6 6 18M6 6l12 12" />);
export const MinimiseIcon = draw(<path d="m6 9 6 6 6-6" />);
export const SendIcon = draw(
  <path d="M10 14 21 3m0 0-6.5 18a.55.55 0 0 1-1 0L10 14l-7-3.5a.55.55 0 0 1 0-1z" />,
);
export const ReplyIcon = draw(<path d="M9 14 5 10l4-4M5 10h11a4 4 0 0 1 0 8h-1" />);
export const SoundIcon = draw(
  <path d="M15 8a5 5 0 0 1 0 8M17.7 5a9 9 0 0 1 0 14M6 15H4a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1h2l3.5-4.5A.8.8 0 0 1 11 5v14a.8.8 0 0 1-1.5.5z" />,
);
export const MutedIcon = draw(
  <path d="M6 15H4a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1h2l3.5-4.5A.8.8 0 0 1 11 5v14a.8.8 0 0 1-1.5.5zM16 10l4 4m0-4-4 4" />,
);
export const PlayIcon = draw(<path d="M7 4v16l13-8z" fill="currentColor" />);
export const CheckIcon = draw(<path d="m5 12 5 5L20 7" />);
export const ChatIcon = draw(
  <path d="M4 21V8a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3H8zM8 9h8M8 13h6" />,
);
export const ItemsIcon = draw(
  <path d="M4 9a1 1 0 0 1 1-1h14a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM12 8v13M19 12v7a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-7M7.5 8a2.5 2.5 0 0 1 0-5C10 3 12 8 12 8s2-5 4.5-5a2.5 2.5 0 0 1 0 5" />,
);
export const AboutIcon = draw(<path d="M3 12a9 9 0 1 0 18 0 9 9 0 0 0-18 0M12 9h.01M11 12h1v4h1" />);
const OfferIcon = draw(
  <path d="M7.5 7.5h.01M3 6v5.2a2 2 0 0 0 .6 1.4l7.7 7.7a2.4 2.4 0 0 0 3.4 0l5.6-5.6a2.4 2.4 0 0 0 0-3.4l-7.7-7.7a2 2 0 0 0-1.4-.6H6a3 3 0 0 0-3 3" />,
);
const CtaIcon = draw(
  <path d="M12 6H6a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-6M11 13l9-9m-5 0h5v5" />,
);
const PollIcon = draw(<path d="M4 20V10m5 10V4m5 16v-8m5 8V7" />);
const HandoutIcon = draw(
  <path d="M14 3v4a1 1 0 0 0 1 1h4M17 21H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h7l5 5v11a2 2 0 0 1-2 2M12 17v-6m-2.5 3.5L12 17l2.5-2.5" />,
);

export const kindIcons = { offer: OfferIcon, cta: CtaIcon, poll: PollIcon, handout: HandoutIcon };
