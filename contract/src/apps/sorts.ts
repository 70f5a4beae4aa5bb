/** Fields that the list of apps is sorted by. */
export const appSorts = ['displayName', 'name', 'createdAt', 'updatedAt', 'state', 'version'] as const
export type AppSort = (typeof appSorts)[number]
