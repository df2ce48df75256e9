import type { Webinar } from '../../../trpc.ts';

/** The address of the registration page of a webinar. */
export const pageAddress = ({ slug }: Pick<Webinar, 'slug'>): string => `${window.location.origin}/w/${slug}`;

const endLength = '-k3f9x2'.length;

/** The part of a slug that the owner can change. */
export const wordsOf = (slug: string): string => slug.slice(0, -endLength);

/** The part of a slug that stays. */
export const endOf = (slug: string): string => slug.slice(-endLength);

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * HTML that shows the registration form on another site. The form reports its height. It gets the query of the other page, which
 * names the campaign.
 */
export const embedSnippet = (address: string, title: string): string => `<iframe
  src="${address}/embed"
  title="${title.replaceAll(/[&<>"]/g, (sign) => entities[sign]!)}"
  style="width: 100%; height: 640px; border: 0"
></iframe>
<script>
  (function (frame) {
    if (location.search) frame.src += location.search;
    addEventListener('message', function (event) {
      if (event.source === frame.contentWindow && event.data.type === 'webinar-registration-height')
        frame.style.height = event.data.height + 'px';
    });
  })(document.currentScript.previousElementSibling);
</script>`;
