import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { Credentials, HttpFetcher } from '../../../../adapters/outgoing/outgoing.ts'
import { intakeLimits } from '../../intake/limits.ts'
import { keep, mustBeGood, quoted } from '../answers.ts'
import { chooseOf } from '../choose.ts'
import { isWanted } from '../glob.ts'
import { readLimits } from '../limits.ts'
import { keyOf, type Listed, type Listing, type Offer, SourceFault, type Upstream, type Wanted } from '../upstream.ts'
import { createRegistryReader, ListTooLong, lastOf } from './read-registry.ts'
import { jsonOf, type RegistryClient } from './registry-client.ts'

const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const configType = 'application/vnd.cncf.helm.config.v1+json'
/** Types of the layer with the package; the second is of before Helm 3.7. */
const layerTypes = new Set(['application/vnd.cncf.helm.chart.content.v1.tar+gzip', 'application/tar+gzip'])

/** An OCI registry: one repository of a chart, or a namespace of such repositories. */
export function ociRegistry(get: HttpFetcher, address: URL, credentials: Credentials | undefined): Upstream {
  const path = address.pathname.replace(/^\/+|\/+$/g, '')
  const { host } = address
  const { ask, isSignedIn, ...reader } = createRegistryReader(get, address, credentials)

  const offerOf = (repository: string, { chart, version, tag }: Tagged): Offer => ({
    ...{ chart, version, digest: null },
    fetch: (file, signal) => fetchChart(ask, { repository, tag, host, isSignedIn }, file, signal),
  })

  /** Chooses of each repository as soon as its tags are there, so that no long list of them has to be gone through. */
  async function* read(repositories: readonly string[], wanted: Wanted, signal: AbortSignal): AsyncIterable<Listing> {
    const seen = new Map<string, string>()
    for (const repository of repositories) {
      const chart = lastOf(repository)
      const twin = seen.get(chart)
      seen.set(chart, repository)
      try {
        if (twin !== undefined) throw new SourceFault(`The repository ${twin} has a chart of this name, too.`)
        yield listingOf(repository, await reader.tags(repository, signal), wanted)
      } catch (error) {
        if (!(error instanceof SourceFault) || error instanceof ListTooLong) throw error
        yield { ...nothing, leftOut: [{ chart, version: '', message: error.message }] }
      }
    }
  }

  function listingOf(repository: string, tags: readonly string[], wanted: Wanted): Listing {
    const chart = lastOf(repository)
    // A tag cannot hold the sign, so Helm writes another one.
    const listed = tags.map((tag) => ({ chart, version: tag.replaceAll('_', '+'), obstacle: null, tag }))
    const { chosen, leftOut } = chooseOf(chart, listed, wanted)
    return { offers: chosen.map((one) => offerOf(repository, one)), leftOut, there: new Set(listed.map(keyOf)) }
  }

  return {
    async list(wanted, signal) {
      const own = await reader.ownTags(path, signal)
      if (own.length > 0) return isWanted(wanted.charts, lastOf(path)) ? listingOf(path, own, wanted) : nothing
      const all: Listing[] = []
      const repositories = await reader.repositories(path, wanted.charts, signal)
      for await (const one of read(repositories.sort(byChart), wanted, signal)) all.push(one)
      const [offers, leftOut] = [all.flatMap((one) => one.offers), all.flatMap((one) => one.leftOut)]
      const there = new Set(all.flatMap((one) => [...one.there]))
      if (there.size === 0 && leftOut[0]) throw new SourceFault(leftOut[0].message)
      return { offers, leftOut, there }
    },
  }
}

const nothing: Listing = { offers: [], leftOut: [], there: new Set() }

interface Tagged extends Listed {
  tag: string
}

/** By the last part of the name and then by the whole, so that the order of the registry decides nothing. */
const byChart = (a: string, b: string) => compared(lastOf(a), lastOf(b)) || compared(a, b)
const compared = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

interface Place {
  repository: string
  tag: string
  host: string
  isSignedIn: boolean
}

async function fetchChart(
  ask: RegistryClient,
  { repository, tag, host, isSignedIn }: Place,
  file: FileHandle,
  signal: AbortSignal,
): Promise<string> {
  const where = `/v2/${repository}`
  const manifest = await ask(`${where}/manifests/${tag}`, repository, { accept: manifestType, signal })
  mustBeGood(manifest, { isSignedIn, absent: `${host} has no ${repository}:${tag}.` })
  const text = await manifest.text()
  const stated = manifest.headers['docker-content-digest']
  if (typeof stated === 'string' && stated.startsWith('sha256:') && stated !== digestOf(text))
    throw new SourceFault('The manifest does not have the digest that the registry states for it.')
  const layer = layerOf(jsonOf(text))
  if (layer.size > intakeLimits.uploadBytes)
    throw new SourceFault(`The package is larger than ${intakeLimits.uploadBytes / 1024 / 1024} MiB.`)
  const blob = await ask(`${where}/blobs/${layer.digest}`, repository, {
    accept: '*/*',
    ...{ signal, maxBytes: intakeLimits.uploadBytes, timeoutMs: readLimits.packageTimeoutMs },
  })
  mustBeGood(blob, { isSignedIn, absent: `${host} does not have the package that the manifest names.` })
  const came = await keep(blob, file)
  if (came !== layer.digest) throw new SourceFault('The package does not have the digest that the manifest states.')
  return came
}

/** The layer of a manifest that holds the package of a chart. */
function layerOf(manifest: Record<string, unknown>): { digest: string; size: number } {
  const notAChart = new SourceFault('It is not a Helm chart.')
  const config = recordOf(manifest.config)
  if (config.mediaType !== configType) throw notAChart
  const layers = Array.isArray(manifest.layers) ? manifest.layers.slice(0, 20).map(recordOf) : []
  const layer = layers.find(({ mediaType }) => typeof mediaType === 'string' && layerTypes.has(mediaType))
  if (!layer) throw notAChart
  const { digest, size } = layer
  if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest) || typeof size !== 'number')
    throw new SourceFault(`The manifest names no digest that can be checked: ${quoted(String(digest))}`)
  return { digest, size }
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
