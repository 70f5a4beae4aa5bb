import { Unanswered, Unusable } from '../../../adapters/outgoing/outgoing.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { TakeIn } from '../take-in.ts'
import { choose } from './choose.ts'
import { isWanted } from './glob.ts'
import { readLimits } from './limits.ts'
import { keyOf, type PackageStore } from './package-store.ts'
import type { RunWriter } from './run-writer.ts'
import type { PackageRow, RunRow, SourceRow } from './tables.ts'
import { type LeftOut, type Listing, type Offer, SourceFault, type Upstream } from './upstream.ts'
import { summary } from './words.ts'

interface Parts {
  source: SourceRow
  run: RunRow
  upstream: Upstream
  writer: RunWriter
  packages: PackageStore
  takeIn: TakeIn
  /** Tells who watches that the run has gone on, or that an item has changed. */
  tell(itemId?: string): void
  signal: AbortSignal
}

type Line = Parameters<RunWriter['lines']>[0][number]
/** The end of a run before it has looked at everything, with a sentence that says why. */
class GivenUp extends Error {
  override name = 'GivenUp'
}

/** Brings what a source has and the catalog lacks. Throws RunLost, or what keeps it from writing; it can be run again. */
export async function synchronise(parts: Parts): Promise<void> {
  const { writer, source, signal } = parts
  let listing: Listing
  try {
    listing = await parts.upstream.list(source, signal)
  } catch (error) {
    if (!(error instanceof SourceFault || error instanceof Unanswered)) throw error
    return writer.end({ state: 'failed', message: `${error.message} What the catalog has from this source stays.` })
  }
  const known = await parts.packages.known(source)
  const { offers, leftOut, beyond } = choose(listing, source)
  const counts = { taken: 0, known: 0, refused: 0, skipped: leftOut.length, beyond }
  await writer.progress({ total: offers.length })
  await writer.lines(leftOut.map(skipped), {})
  const givenUp = await takeAll(parts, offers, known, counts)
  await markGone(parts, listing, known)
  const said = summary(counts)
  if (givenUp === undefined)
    return writer.end({ state: counts.refused > 0 || beyond > 0 ? 'partly' : 'done', message: said })
  await writer.end({ state: counts.taken + counts.known > 0 ? 'partly' : 'failed', message: `${givenUp} ${said}` })
}

type Counts = Parameters<typeof summary>[0]

/** Goes through the offers one by one; returns why it did not get to the last. */
async function takeAll(
  parts: Parts,
  offers: readonly Offer[],
  known: ReadonlyMap<string, PackageRow>,
  counts: Counts,
): Promise<string | undefined> {
  const charts = [...new Set(offers.map(({ chart }) => chart))]
  const elsewhere = await parts.packages.elsewhere(parts.source, charts)
  let silences = 0
  for (const [at, offer] of offers.entries()) {
    parts.signal.throwIfAborted()
    const before = known.get(keyOf(offer))
    const decided = decide(offer, before, elsewhere, parts.run.asked_by !== null)
    if (decided === 'known') {
      counts.known += 1
      continue
    }
    if (decided === 'fetch') {
      await parts.writer.progress({ done: at, known: counts.known, current: keyOf(offer) })
      parts.tell()
    }
    try {
      const line = decided === 'fetch' ? await take(parts, offer) : decided
      counts[line.outcome === 'gone' ? 'skipped' : line.outcome] += 1
      await parts.writer.lines([line], { done: at + 1, known: counts.known })
      silences = 0
    } catch (error) {
      if (!(error instanceof Unanswered) && !(error instanceof GivenUp)) throw error
      counts.refused += 1
      silences += 1
      await parts.writer.lines([refused(offer, error.message)], { done: at + 1, known: counts.known })
      if (error instanceof GivenUp) return error.message
      if (silences >= readLimits.silences) return 'The source stopped answering, so the rest waits for the next run.'
    }
  }
  await parts.writer.progress({ done: offers.length, known: counts.known, current: null })
  return undefined
}

/** Decides about an offer: it is known, it is fetched, or a line says why not. */
function decide(
  offer: Offer,
  before: PackageRow | undefined,
  elsewhere: ReadonlyMap<string, string>,
  isByHand: boolean,
): 'known' | 'fetch' | Line {
  const other = elsewhere.get(offer.chart)
  if (other !== undefined) return skipped({ ...offer, message: other })
  const isSame = offer.digest === null || before?.digest === offer.digest
  if (before?.version_id) return isSame ? 'known' : skipped({ ...offer, message: changed })
  // Somebody who asks may have changed what it was refused for; a schedule would fetch it for nothing each time.
  if (before?.refusal && isSame && before.digest !== null && !isByHand) return refused(offer, before.refusal)
  return 'fetch'
}

const changed = 'The source has another package under this version now. The catalog keeps the one that it took first.'

/** Refusals that stay as they are as long as the package does. */
const lasting = new Set(['catalog.package-refused', 'catalog.version-exists'])
/** Conditions under which no other package could be taken either. */
const ending = new Set(['catalog.quota', 'catalog.disk-full'])

async function take({ source, run, signal, takeIn, packages, tell }: Parts, offer: Offer): Promise<Line> {
  const { chart, version } = offer
  let digest: string | null = offer.digest
  const since = run.started_at ?? run.created_at
  try {
    const origin = { tenantId: source.tenant_id, sourceId: source.id, since, joins: source.joins }
    const { itemId, versionId, message } = await takeIn(origin, offer, async (file) => {
      const came = await offer.fetch(file, signal)
      if (offer.digest !== null && came !== offer.digest) throw new SourceFault(wrongDigest)
      digest = came
    })
    await packages.keep(source, { chart, version, digest, version_id: versionId, refusal: null })
    tell(itemId)
    return { chart, version, outcome: 'taken', message, item_id: itemId }
  } catch (error) {
    if (error instanceof SourceFault || error instanceof Unusable) return refused(offer, error.message)
    if (!(error instanceof Failure)) throw error
    if (ending.has(error.code)) throw new GivenUp(error.message)
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
  listing: Listing,
  known: ReadonlyMap<string, PackageRow>,
): Promise<void> {
  const there = new Set(listing.offers.map(keyOf))
  const unsure = new Set(listing.leftOut.filter(({ version }) => version === '').map(({ chart }) => chart))
  const taken = [...known.values()].filter(
    ({ version_id, chart }) => version_id !== null && !unsure.has(chart) && isWanted(source.charts, chart),
  )
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

const skipped = ({ chart, version, message }: LeftOut): Line => ({
  ...{ chart, version, outcome: 'skipped', message, item_id: null },
})

const refused = ({ chart, version }: Offer, message: string): Line => ({
  ...{ chart, version, outcome: 'refused', message, item_id: null },
})
