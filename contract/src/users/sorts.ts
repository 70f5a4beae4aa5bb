/** Fields that the list of users is sorted by; all but the user name where at most `mostSortedUsers` match. */
export const userSorts = ['username', 'name', 'email', 'enabled', 'createdAt'] as const
export type UserSort = (typeof userSorts)[number]

/** Keycloak sorts by user name alone; by anything else so many users are sorted at most. */
export const mostSortedUsers = 1000
