/** Fields that the list of actions is sorted by. */
export const actionSorts = ['acceptedAt', 'finishedAt', 'appName', 'kind'] as const
export type ActionSort = (typeof actionSorts)[number]
