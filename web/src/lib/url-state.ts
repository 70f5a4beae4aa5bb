import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export type UrlState = Record<string, string | undefined>

/** Search text, filters, sort and tab as the address keeps them; an empty value leaves the address. */
export function useUrlState(): [UrlState, (change: UrlState) => void] {
  const state = useSearch({ strict: false }) as UrlState
  const navigate = useNavigate()
  const set = useCallback(
    (change: UrlState) => {
      void navigate({
        to: '.',
        search: (before: UrlState) => withChange(before, change) as never,
        replace: true,
        resetScroll: false,
      })
    },
    [navigate],
  )
  return [state, set]
}

/** The state with a change applied and everything empty left out. */
export function withChange(before: UrlState, change: UrlState): UrlState {
  return Object.fromEntries(
    Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined && value !== ''),
  )
}

/** Every value in the address is plain text, so that a typed '007' or 'true' comes back as typed. */
export function parseUrlSearch(search: string): UrlState {
  return Object.fromEntries(new URLSearchParams(search))
}

export function writeUrlSearch(state: object): string {
  const given = Object.entries(state).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
