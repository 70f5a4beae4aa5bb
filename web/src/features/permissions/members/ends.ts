/** When a role ends, as it is chosen in a form. */
export type Ends = { kind: 'never' } | { kind: 'hours'; hours: number } | { kind: 'date'; local: string }

/** Hours that forms offer beside 'never' and a date. */
export const offeredHours = [1, 8, 24, 7 * 24, 30 * 24] as const

/** The moment as the server takes it; null: it lasts; undefined: no moment, or none that lies ahead. */
export function momentOf(ends: Ends, now: number): string | null | undefined {
  if (ends.kind === 'never') return null
  if (ends.kind === 'hours') return new Date(now + ends.hours * 3_600_000).toISOString()
  const at = Date.parse(ends.local)
  return Number.isNaN(at) || at <= now ? undefined : new Date(at).toISOString()
}

/** A moment as a date field shows it, in the reader's time zone: '2026-11-24T14:00'. */
export function localOf(iso: string): string {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The form's initial value for an existing expiry. */
export function endsOf(expiresAt: string | null): Ends {
  return expiresAt === null ? { kind: 'never' } : { kind: 'date', local: localOf(expiresAt) }
}
