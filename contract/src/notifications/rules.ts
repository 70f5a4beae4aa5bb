/** Everything that people are told of; each can be switched off by whoever is told. */
export const noticeKinds = ['action-failed', 'app-unhealthy', 'app-healthy', 'token-expiring'] as const

/** For so many days somebody can read what they were told. */
export const noticeDays = 30
/** The newest ones that are shown and counted. */
export const maxNotices = 100
/** Days before the end of a personal token from which its owner is told. */
export const expiringDays = 7
