import type { Credentials, HttpFetcher } from '../../../../adapters/outgoing/outgoing.ts'
import { createWorkerPool, WorkerEnded } from '../../../../platform/concurrency/worker-pool.ts'
import { intakeLimits } from '../../intake/limits.ts'
import { keep, mustBeGood, quoted } from '../answers.ts'
import { readLimits } from '../limits.ts'
import { type Offer, SourceFault, type Upstream, type Wanted } from '../upstream.ts'
import type { IndexAnswer, IndexOffer, IndexQuestion } from './choose-from-index.ts'

const ask = createWorkerPool<IndexQuestion, IndexAnswer>(new URL('./index-worker.ts', import.meta.url), {
  limitMs: readLimits.indexMs,
  memoryMb: readLimits.indexMemoryMb,
  most: 1,
})

const packageTypes = 'application/gzip, application/octet-stream, */*'

/** A Helm repository: an `index.yaml`, and packages beside it or on other hosts, which get no credentials. */
export function helmRepository(get: HttpFetcher, address: URL, credentials: Credentials | undefined): Upstream {
  const base = new URL(address)
  base.pathname = `${base.pathname.replace(/\/index\.yaml$/, '').replace(/\/+$/, '')}/`
  const isSignedIn = credentials !== undefined

  async function chosen(wanted: Wanted, signal: AbortSignal) {
    const answer = await get(new URL('index.yaml', base), {
      accept: 'application/yaml, text/yaml, */*',
      ...{ credentials, signal, timeoutMs: readLimits.listTimeoutMs, maxBytes: readLimits.indexBytes },
    })
    const absent = `There is no index.yaml at this address of ${base.host}: it is not a Helm repository.`
    mustBeGood(answer, { isSignedIn, absent })
    const { charts, versions, prereleases } = wanted
    const question = { text: await answer.text(), base: base.href, wanted: { charts, versions, prereleases } }
    const told = await ask(question, signal).catch((error: unknown): IndexAnswer => {
      if (error instanceof WorkerEnded) return { problem: `${error.message}.` }
      throw error
    })
    if ('problem' in told)
      throw new SourceFault(`The index.yaml of ${base.host} cannot be used: ${quoted(told.problem)}`)
    return told
  }

  const offerOf = ({ chart, version, digest, url }: IndexOffer): Offer => ({
    ...{ chart, version, digest },
    async fetch(file, signal) {
      const at = new URL(url)
      const answer = await get(at, {
        accept: packageTypes,
        ...{ credentials, signal, timeoutMs: readLimits.packageTimeoutMs, maxBytes: intakeLimits.uploadBytes },
      })
      mustBeGood(answer, { isSignedIn, absent: `${at.host} does not have the package that the index names.` })
      return keep(answer, file)
    },
  })

  return {
    async list(wanted, signal) {
      const { offers, leftOut, there } = await chosen(wanted, signal)
      return { offers: offers.map(offerOf), leftOut, there: new Set(there) }
    },
  }
}
