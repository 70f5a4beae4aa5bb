import type { Credentials, Outgoing } from '../../../../adapters/outgoing/outgoing.ts'
import { createWorkerPool, WorkerEnded } from '../../../../platform/concurrency/worker-pool.ts'
import { intakeLimits } from '../../intake/limits.ts'
import { keep, mustBeGood, quoted } from '../answers.ts'
import { isWanted } from '../glob.ts'
import { readLimits } from '../limits.ts'
import { type Offer, SourceFault, type Upstream } from '../upstream.ts'
import type { IndexAnswer, IndexEntry } from './read-index.ts'

const read = createWorkerPool<string, IndexAnswer>(new URL('./index-worker.ts', import.meta.url), {
  limitMs: readLimits.indexMs,
  memoryMb: readLimits.indexMemoryMb,
  most: 1,
})

const packageTypes = 'application/gzip, application/octet-stream, */*'

/** A Helm repository: an `index.yaml`, and packages beside it or on other hosts, which get no credentials. */
export function helmRepository(get: Outgoing, address: URL, credentials: Credentials | undefined): Upstream {
  const base = new URL(address)
  base.pathname = `${base.pathname.replace(/\/index\.yaml$/, '').replace(/\/+$/, '')}/`
  const isSignedIn = credentials !== undefined

  async function index(signal: AbortSignal): Promise<IndexEntry[]> {
    const answer = await get(new URL('index.yaml', base), {
      accept: 'application/yaml, text/yaml, */*',
      ...{ credentials, signal, timeoutMs: readLimits.listTimeoutMs, maxBytes: readLimits.indexBytes },
    })
    const absent = `There is no index.yaml at this address of ${base.host}: it is not a Helm repository.`
    mustBeGood(answer, { isSignedIn, absent })
    const told = await read(await answer.text()).catch((error: unknown): IndexAnswer => {
      if (error instanceof WorkerEnded) return { problem: `${error.message}.` }
      throw error
    })
    if ('problem' in told)
      throw new SourceFault(`The index.yaml of ${base.host} cannot be used: ${quoted(told.problem)}`)
    return told.entries
  }

  function offerOf({ chart, version, digest, url, isLibrary }: IndexEntry): Offer {
    const at = URL.canParse(url, base.href) ? new URL(url, base) : undefined
    return {
      ...{ chart, version },
      digest: digest === null ? null : `sha256:${digest}`,
      obstacle: isLibrary ? libraryChart : obstacleAt(at),
      async fetch(file, signal) {
        if (at === undefined) throw new SourceFault(obstacleAt(at) ?? '')
        const answer = await get(at, {
          accept: packageTypes,
          ...{ credentials, signal, timeoutMs: readLimits.packageTimeoutMs, maxBytes: intakeLimits.uploadBytes },
        })
        mustBeGood(answer, { isSignedIn, absent: `${at.host} does not have the package that the index names.` })
        return keep(answer, file)
      },
    }
  }

  return {
    list: async ({ charts }, signal) => ({
      offers: (await index(signal)).filter(({ chart }) => isWanted(charts, chart)).map(offerOf),
      leftOut: [],
    }),
  }
}

const libraryChart = 'This is a library chart: other charts use it, but it deploys nothing by itself.'

function obstacleAt(url: URL | undefined): string | null {
  if (url === undefined) return 'The index names no address for its package.'
  if (url.protocol !== 'oci:') return null
  return `It lies in the OCI registry ${quoted(url.host)}. Add that registry as a source of its own.`
}
