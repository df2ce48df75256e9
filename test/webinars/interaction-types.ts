/** Fields that an interaction of any type needs. */
export const common = { internalName: 'Internal', headline: 'Look', showAtSeconds: 60 };

/** The required fields of each type, and the defaults that the server adds. */
export const types = [
  {
    type: 'offer',
    path: 'offers',
    fields: { url: 'https://example.com/buy', buttonLabel: 'Buy' },
    added: {
      priceMinor: null,
      currency: null,
      imageUrl: null,
      productRefs: [],
      couponCode: null,
      countdownSeconds: null,
    },
  },
  { type: 'cta', path: 'ctas', fields: { url: 'http://example.com/call', buttonLabel: 'Call' }, added: {} },
  {
    type: 'poll',
    path: 'polls',
    fields: {
      options: [
        { id: 'yes', label: 'Yes' },
        { id: 'no', label: 'No' },
      ],
    },
    added: { multiple: false, results: 'after_vote' },
  },
  {
    type: 'handout',
    path: 'handouts',
    fields: { url: 'https://example.com/slides.pdf', fileName: 'slides.pdf' },
    added: {},
  },
] as const;
