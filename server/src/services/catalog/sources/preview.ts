import { webAddressOf } from '@quayside/contract/catalog/source-rules'
import type { catalogSources, SourcePreview } from '@quayside/contract/catalog/sources'
import type { z } from 'zod'
import { type HttpFetcher, RequestFailed } from '../../../adapters/outgoing/outgoing.ts'
import { createSemaphore, type Semaphore } from '../../../platform/concurrency/semaphore.ts'
import { fail } from '../../../platform/http/errors.ts'
import { openUpstream } from './open-upstream.ts'
import type { createSignIns } from './sign-in.ts'
import type { SourceRow } from './tables.ts'
import { type Listing, SourceFault, type Upstream } from './upstream.ts'
import { previewSummary } from './words.ts'

/** Looks at sources at once, of a tenant one; each may hold an index in memory. Others wait, and more are refused. */
const atOnce = 2
const mostWaiting = 8
const longestMs = 2 * 60_000
const shownCharts = 50
const shownNotes = 20

type PreviewInput = z.output<(typeof catalogSources)['testSource']['body']>

interface PreviewDeps {
  get: HttpFetcher
  signIns: ReturnType<typeof createSignIns>
  sourceOf(tenantId: string, id: string): Promise<SourceRow>
}

/** Asks a source that need not be there yet, with the secret of one that is; it changes nothing. */
export function createPreview({ get, signIns, sourceOf }: PreviewDeps) {
  const places = createSemaphore(atOnce)
  const looking = new Set<string>()
  return async (tenantId: string, { id, ...input }: PreviewInput): Promise<SourcePreview> => {
    const kept = id === undefined ? undefined : await sourceOf(tenantId, id)
    const upstream = openUpstream(get, input, signIns.wanted(input, kept))
    if (looking.has(tenantId)) throw fail('request.too-many', { message: oneAtATime })
    if (looking.size >= atOnce + mostWaiting) throw fail('portal.busy')
    looking.add(tenantId)
    try {
      const signal = AbortSignal.timeout(longestMs)
      const { host } = new URL(webAddressOf(input.address))
      return previewOf(host, await listing(upstream, input, places, signal))
    } finally {
      looking.delete(tenantId)
    }
  }
}

const oneAtATime = 'Somebody is testing a source of this tenant right now. Try again when that is done.'

async function listing(
  upstream: Upstream,
  input: PreviewInput,
  places: Semaphore,
  signal: AbortSignal,
): Promise<Listing> {
  let leave = () => {}
  try {
    leave = await places.acquire(signal)
    return await upstream.list(input, signal)
  } catch (error) {
    const isFault = error instanceof SourceFault || error instanceof RequestFailed
    if (!isFault && !signal.aborted) throw error
    const message = isFault ? error.message : `It takes longer than ${longestMs / 60_000} minutes to read this source.`
    throw fail('catalog.source-silent', { field: 'address', message, cause: error })
  } finally {
    leave()
  }
}

function previewOf(host: string, { offers, leftOut }: Listing): SourcePreview {
  const byChart = Map.groupBy(offers, ({ chart }) => chart)
  const notes = leftOut.map(({ chart, version, message }) => `${chart}${version && ` ${version}`}: ${message}`)
  const more = notes.length - shownNotes
  return {
    message: previewSummary(host, byChart.size, offers.length),
    notes: [...notes.slice(0, shownNotes), ...(more > 0 ? [`${more} more are left out.`] : [])],
    chartCount: byChart.size,
    versionCount: offers.length,
    charts: [...byChart]
      .slice(0, shownCharts)
      .map(([name, all]) => ({ name, versions: all.map(({ version }) => version) })),
  }
}
