/** A recurrence with one session, to the minute, for a webinar in UTC. */
export const onceAt = (at: Date): { frequency: 'once'; startDate: string; time: string } => ({
  frequency: 'once',
  startDate: at.toISOString().slice(0, 10),
  time: at.toISOString().slice(11, 16),
});
