/** The recurrence of one session at a whole minute, for a webinar whose time zone is UTC. */
export const onceAt = (at: Date): { frequency: 'once'; startDate: string; time: string } => ({
  frequency: 'once',
  startDate: at.toISOString().slice(0, 10),
  time: at.toISOString().slice(11, 16),
});
