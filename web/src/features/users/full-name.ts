import type { User } from '@quayside/contract/users/endpoints'

/** First and last name; the user name of who has neither. */
export const fullName = ({ firstName, lastName, username }: User): string =>
  [firstName, lastName].filter(Boolean).join(' ') || username
