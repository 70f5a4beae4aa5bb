import type { MenuEntry } from '@quayside/contract/menu'
import { isWebLink } from '@quayside/contract/menu-rules'
import { texts } from './texts.ts'

/** Where an entry leads: to a page of the portal, out of it, or nowhere any more. */
export type Target =
  | { to: string }
  | { href: string }
  | { /** In a word, beside the name. */ word: string; why: string }

const paths = {
  apps: (id: string) => `/apps/${id}`,
  spaces: (id: string) => `/spaces/${id}/overview`,
  clusters: (id: string) => `/clusters/${id}`,
  dashboards: (id: string) => `/dashboards/${id}`,
} as const

export function targetOf({ type, state, link, selectedEntryId }: MenuEntry): Target {
  const { ours } = texts
  if (type === 'externalLink') return isWebLink(link) ? { href: link } : { word: ours.unsafe, why: ours.unsafeWhy }
  if (state === 'closed') return { word: ours.closed, why: ours.closedWhy }
  if (state === 'gone' || selectedEntryId === null) return { word: ours.gone, why: ours.goneWhy }
  return { to: paths[type](encodeURIComponent(selectedEntryId)) }
}
