export const connectionStates = ['connected', 'failing', 'disconnected', 'attention'] as const;
export type ConnectionState = (typeof connectionStates)[number];
