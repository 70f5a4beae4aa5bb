import { RequestFailed, RequestRefused } from '../../../../adapters/outgoing/outgoing.ts'
import { Failure } from '../../../../platform/http/errors.ts'
import type { TakeIn } from '../../take-in.ts'
import { wantedAmong } from '../glob.ts'
import { readLimits } from '../limits.ts'
import type { PackageStore } from '../package-store.ts'
import type { PackageRow, RunRow, SourceRow } from '../tables.ts'
import { keyOf, type Listing, type Offer, SourceFault, type Upstream } from '../upstream.ts'
import { summary } from '../words.ts'
import { planOf, refused, skipped } from './plan.ts'
import { type Line, RunLost, type RunWriter } from './run-writer.ts'

interface Parts {
  source: SourceRow
  run: RunRow
  upstream: Upstream
  writer: RunWriter
  packages: PackageStore
  takeIn: TakeIn
  /** Tells who watches that the run has gone on, or that an item has changed. */
  tell(itemId?: string): void
  /** Aborted when the run is to be left to somebody else. */
  signal: AbortSignal
  /** Aborted when it has taken long enough: the rest waits for the next run. */
  deadline: AbortSignal
}

/** The end of a run before it has looked at everything, with a sentence that says why. */
class RunStopped extends Error {
  override name = 'RunStopped'
}

/** Brings what a source has and the catalog lacks. Throws RunLost, or what keeps it from writing; it can be run again. */
export async function synchronise(parts: Parts): Promise<void> {
  const { writer, source, run, packages } = parts
  const listing = await listed(parts)
  if (typeof listing === 'string')
    return writer.end(
      () => 'failed',
      () => `${listing} What the catalog has from this source stays.`,
    )
  const charts = [...new Set(listing.offers.map(({ chart }) => chart))]
  const known = await packages.known(source)
  const plan = planOf(listing.offers, {
    ...{ known, elsewhere: await packages.elsewhere(source, charts), taken: await writer.taken() },
    isByHand: run.asked_by !== null,
  })
  const done = listing.offers.length - plan.beyond - plan.fetch.length
  await writer.lines([...listing.leftOut.map(skipped), ...plan.lines].slice(0, readLimits.lines), {
    ...{ total: done + plan.fetch.length, done, known: plan.known },
  })
  const stopped = await takeAll(parts, plan.fetch, done)
  await markGone(parts, listing, known)
  const { beyond } = plan
  await writer.end(
    (counts) => {
      if (stopped !== undefined) return counts.taken + counts.known > 0 ? 'partly' : 'failed'
      return counts.refused > 0 || beyond > 0 ? 'partly' : 'done'
    },
    (counts) => `${stopped === undefined ? '' : `${stopped} `}${summary({ ...counts, beyond })}`,
  )
}

/** Reads what the source has; a sentence where it cannot be read. */
async function listed({ upstream, source, signal, deadline }: Parts): Promise<Listing | string> {
  try {
    return await upstream.list(source, AbortSignal.any([signal, deadline]))
  } catch (error) {
    if (error instanceof SourceFault || error instanceof RequestFailed) return error.message
    if (deadline.aborted && !signal.aborted) return tooLong
    throw error
  }
}

const tooLong = `It took longer than ${readLimits.runMs / 60_000} minutes, so the rest waits for the next run.`
const silent = 'The source stopped answering, so the rest waits for the next run.'

/** Takes the offers one by one; returns why it did not get to the last. */
async function takeAll(parts: Parts, offers: readonly Offer[], before: number): Promise<string | undefined> {
  const { writer, signal, deadline, tell } = parts
  let unansweredInARow = 0
  for (const [at, offer] of offers.entries()) {
    signal.throwIfAborted()
    if (deadline.aborted) return tooLong
    await writer.progress({ done: before + at, current: keyOf(offer) })
    tell()
    try {
      await writer.lines([await take(parts, offer)], { done: before + at + 1 })
      unansweredInARow = 0
    } catch (error) {
      if (deadline.aborted && !signal.aborted && error === deadline.reason) return tooLong
      if (!(error instanceof RequestFailed) && !(error instanceof RunStopped)) throw error
      unansweredInARow += 1
      await writer.lines([refused(offer, error.message)], { done: before + at + 1 })
      if (error instanceof RunStopped) return error.message
      if (unansweredInARow >= readLimits.unansweredInARow) return silent
    }
  }
  await writer.progress({ done: before + offers.length, current: null })
  return undefined
}

/** Refusals that stay as they are as long as the package does. */
const lasting = new Set(['catalog.package-refused', 'catalog.version-exists'])
/** Conditions under which no other package could be taken either. */
const ending = new Set(['catalog.quota', 'catalog.disk-full'])

async function take(parts: Parts, offer: Offer): Promise<Line> {
  const { source, run, takeIn, packages, tell } = parts
  const signal = AbortSignal.any([parts.signal, parts.deadline])
  const { chart, version } = offer
  let digest: string | null = offer.digest
  const since = run.started_at ?? run.created_at
  try {
    const origin = { tenantId: source.tenant_id, sourceId: source.id, since, addsToUploads: source.adds_to_uploads }
    const { itemId, versionId, message } = await takeIn(origin, offer, async (file) => {
      const came = await offer.fetch(file, signal)
      if (offer.digest !== null && came !== offer.digest) throw new SourceFault(wrongDigest)
      digest = came
    })
    await packages.keep(source, { chart, version, digest, version_id: versionId, refusal: null })
    tell(itemId)
    return { chart, version, outcome: 'taken', message, item_id: itemId }
  } catch (error) {
    if (error instanceof SourceFault || error instanceof RequestRefused) return refused(offer, error.message)
    if (!(error instanceof Failure)) throw error
    if (error.code === 'catalog.source-not-found') throw new RunLost()
    if (ending.has(error.code)) throw new RunStopped(error.message)
    if (error.code === 'catalog.item-from-elsewhere') return skipped({ ...offer, message: error.message })
    if (!lasting.has(error.code)) throw error
    await packages.keep(source, { chart, version, digest, version_id: null, refusal: error.message })
    return refused(offer, error.message)
  }
}

const wrongDigest = 'The package does not have the digest that the source states for it, so it was not taken.'

/** Notes versions that the source has dropped; the catalog keeps them. */
async function markGone(
  { source, packages, writer }: Parts,
  { there, leftOut }: Listing,
  known: ReadonlyMap<string, PackageRow>,
): Promise<void> {
  const unsure = new Set(leftOut.filter(({ version }) => version === '').map(({ chart }) => chart))
  const all = [...known.values()].filter(({ version_id, chart }) => version_id !== null && !unsure.has(chart))
  const wanted = await wantedAmong(
    source.charts,
    all.map(({ chart }) => chart),
  )
  const taken = all.filter(({ chart }) => wanted.has(chart))
  const gone = taken.filter((row) => row.gone_at === null && !there.has(keyOf(row)))
  const back = taken.filter((row) => row.gone_at !== null && there.has(keyOf(row)))
  if (back.length > 0) await packages.mark(source, back, false)
  if (gone.length === 0) return
  await packages.mark(source, gone, true)
  const message = 'The source no longer offers it. It stays in the catalog.'
  await writer.lines(
    gone.map(({ chart, version }) => ({ chart, version, outcome: 'gone', message, item_id: null })),
    {},
  )
}
