/** Longest texts about a mail server, in characters. */
export const mailLimits = { address: 254, text: 255, password: 1000 } as const

/** How long a link lasts that is handed over, in hours. */
export const linkHours = { least: 1, most: 168, usual: 12 } as const

export const mailStatuses = ['kept', 'pending', 'sent', 'failed'] as const
export type MailStatus = (typeof mailStatuses)[number]
