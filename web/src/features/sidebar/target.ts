import type { MenuEntry } from '@quayside/contract/sidebar/endpoints'
import { isWebLink } from '@quayside/contract/sidebar/rules'
import { texts } from './texts.ts'

const t = texts.ours

/** Where an entry leads: to a page of the portal, out of it, or nowhere any more. */
type Target = { to: string } | { href: string } | { /** In a word, beside the name. */ word: string; why: string }

const paths = {
  apps: (id: string) => `/apps/${id}`,
  spaces: (id: string) => `/spaces/${id}/overview`,
  clusters: (id: string) => `/clusters/${id}`,
  dashboards: (id: string) => `/dashboards/${id}`,
} as const

export function targetOf({ type, state, link, selectedEntryId }: MenuEntry): Target {
  if (type === 'externalLink') return isWebLink(link) ? { href: link } : { word: t.unsafe, why: t.unsafeWhy }
  if (state === 'closed') return { word: t.closed, why: t.closedWhy }
  if (state === 'gone' || selectedEntryId === null) return { word: t.gone, why: t.goneWhy }
  return { to: paths[type](encodeURIComponent(selectedEntryId)) }
}
