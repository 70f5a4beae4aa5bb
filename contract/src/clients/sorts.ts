/** Fields that the list of clients is sorted by. */
export const clientSorts = ['clientId', 'name', 'kind', 'enabled'] as const
export type ClientSort = (typeof clientSorts)[number]
