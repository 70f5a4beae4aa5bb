import { readLimits } from '../limits.ts'
import type { PackageRow } from '../tables.ts'
import { keyOf, type LeftOut, type Offer } from '../upstream.ts'
import type { Line } from './run-writer.ts'

interface Past {
  /** Versions that the source had before, by key. */
  known: ReadonlyMap<string, Pick<PackageRow, 'digest' | 'version_id' | 'refusal'>>
  /** Charts that the catalog has from elsewhere, with a sentence about it. */
  elsewhere: ReadonlyMap<string, string>
  /** Keys of what this very run has taken before it was interrupted. */
  taken: ReadonlySet<string>
  isByHand: boolean
}

interface Plan {
  /** Count of the versions that an earlier run has taken. */
  known: number
  /** Versions that are not fetched, with the reason. */
  lines: Line[]
  fetch: Offer[]
  /** Count of the versions that wait for the next run. */
  beyond: number
}

/** Decides about each offer, before anything is fetched. Only what is new counts towards the bound of a run. */
export function planOf(offers: readonly Offer[], past: Past): Plan {
  const plan: Plan = { known: 0, lines: [], fetch: [], beyond: 0 }
  for (const offer of offers) {
    const decided = decide(offer, past)
    if (decided === 'known') plan.known += past.taken.has(keyOf(offer)) ? 0 : 1
    else if (decided !== 'fetch') plan.lines.push(decided)
    else if (plan.fetch.length < readLimits.offers) plan.fetch.push(offer)
    else plan.beyond += 1
  }
  return plan
}

function decide(offer: Offer, { known, elsewhere, isByHand }: Past): 'known' | 'fetch' | Line {
  const other = elsewhere.get(offer.chart)
  if (other !== undefined) return skipped({ ...offer, message: other })
  const before = known.get(keyOf(offer))
  const isSame = offer.digest === null || before?.digest === offer.digest
  if (before?.version_id) return isSame ? 'known' : skipped({ ...offer, message: changed })
  // Somebody who asks may have changed what it was refused for; a schedule would fetch it for nothing each time.
  if (before?.refusal && isSame && before.digest !== null && !isByHand) return refused(offer, before.refusal)
  return 'fetch'
}

const changed = 'The source has another package under this version now. The catalog keeps the one that it took first.'

export const skipped = ({ chart, version, message }: LeftOut): Line => ({
  ...{ chart, version, outcome: 'skipped', message, item_id: null },
})

export const refused = ({ chart, version }: Pick<Offer, 'chart' | 'version'>, message: string): Line => ({
  ...{ chart, version, outcome: 'refused', message, item_id: null },
})
