/** Fields that the list of app links is sorted by. */
export const appLinkSorts = ['name', 'createdAt', 'updatedAt'] as const
export type AppLinkSort = (typeof appLinkSorts)[number]
