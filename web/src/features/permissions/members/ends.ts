import { localOf } from '../../../ui/text/local-moment.ts'

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

/** The form's initial value for an existing expiry. */
export function endsOf(expiresAt: string | null): Ends {
  return expiresAt === null ? { kind: 'never' } : { kind: 'date', local: localOf(expiresAt) }
}
