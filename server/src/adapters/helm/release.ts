import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'

/** One revision of a release, as Helm keeps it in a Secret of type helm.sh/release.v1. */
export interface Release {
  name: string
  namespace: string
  revision: number
  status: string
  chart: { name: string; version: string; appVersion: string | null }
  /** The values given on top of the chart's own. */
  values: Record<string, unknown>
  /** The chart's own values, as Helm remembers them. */
  defaults?: Record<string, unknown>
  manifest: string
  hooks: ReleaseHook[]
  notes: string
  description: string
  updatedAt: string
  /** Labels of the Secret: those given with `--labels`, and Helm's own. */
  labels: Record<string, string>
}

export interface ReleaseHook {
  name: string
  kind: string
  events: string[]
  manifest: string
}

/** The parts of a Secret that reading a release needs. */
export interface ReleaseSecret {
  metadata: { name: string; labels?: Record<string, string> }
  data?: Record<string, string>
}

export class ReleaseUnreadableError extends Error {
  override name = 'ReleaseUnreadableError'
}

/** Statuses in which Helm refuses every later upgrade. */
export const unfinishedStatuses: ReadonlySet<string> = new Set([
  'pending-install',
  'pending-upgrade',
  'pending-rollback',
  'uninstalling',
])

/** Helm packs a release into less than a mebibyte; what is that much larger is no chart, and would hold up everybody. */
const maxUnpacked = 16 * 1024 * 1024
const maxValues = 2 * 1024 * 1024
const text = z.string().catch('')
const Stored = z.looseObject({
  name: z.string(),
  namespace: text,
  version: z.number().int(),
  info: z.looseObject({ status: z.string(), description: text, notes: text, last_deployed: text }),
  chart: z
    .looseObject({
      metadata: z.looseObject({ name: text, version: text, appVersion: z.string().nullable().catch(null) }),
      values: z.record(z.string(), z.unknown()).nullish().catch({}),
    })
    .catch({ metadata: { name: '', version: '', appVersion: null }, values: {} }),
  config: z.record(z.string(), z.unknown()).nullish().catch({}),
  manifest: text,
  hooks: z
    .array(z.looseObject({ name: text, kind: text, manifest: text, events: z.array(z.string()).catch([]) }))
    .nullish()
    .catch([]),
})

/** Reads a revision out of its Secret. What a cluster says is not trusted: sizes are capped, shapes are checked. */
export async function decodeRelease(secret: ReleaseSecret): Promise<Release> {
  const stored = await unpack(secret)
  const parsed = Stored.safeParse(stored)
  if (!parsed.success) throw new ReleaseUnreadableError(`${secret.metadata.name} does not hold a release`)
  const { name, namespace, version, info, chart, config, manifest, hooks } = parsed.data
  const values = config ?? {}
  if (JSON.stringify(values).length > maxValues)
    throw new ReleaseUnreadableError(`${secret.metadata.name} holds more than ${maxValues / 1024 / 1024} MiB of values`)
  return {
    name,
    namespace,
    revision: version,
    status: info.status,
    chart: {
      name: chart.metadata.name,
      version: chart.metadata.version,
      appVersion: chart.metadata.appVersion,
    },
    values,
    defaults: chart.values ?? {},
    manifest,
    hooks: (hooks ?? []).map((hook) => ({
      name: hook.name,
      kind: hook.kind,
      events: hook.events,
      manifest: hook.manifest,
    })),
    notes: info.notes,
    description: info.description,
    updatedAt: info.last_deployed,
    labels: secret.metadata.labels ?? {},
  }
}

/** The Secret's data with another status in it; everything else stays as Helm wrote it. */
export async function withStatus(
  secret: ReleaseSecret,
  status: string,
  description: string,
): Promise<Record<string, string>> {
  const stored = await unpack(secret)
  const info = isRecord(stored.info) ? stored.info : {}
  const packed = await promisify(gzip)(JSON.stringify({ ...stored, info: { ...info, status, description } }))
  return { ...secret.data, release: Buffer.from(packed.toString('base64')).toString('base64') }
}

async function unpack(secret: ReleaseSecret): Promise<Record<string, unknown>> {
  const outer = secret.data?.release
  if (!outer) throw new ReleaseUnreadableError(`${secret.metadata.name} holds no release`)
  const inner = Buffer.from(Buffer.from(outer, 'base64').toString('latin1'), 'base64')
  try {
    const isPacked = inner[0] === 0x1f && inner[1] === 0x8b
    const json = isPacked ? await promisify(gunzip)(inner, { maxOutputLength: maxUnpacked }) : inner
    const stored: unknown = JSON.parse(json.toString('utf8'))
    if (isRecord(stored)) return stored
  } catch (error) {
    throw new ReleaseUnreadableError(`${secret.metadata.name} cannot be read`, { cause: error })
  }
  throw new ReleaseUnreadableError(`${secret.metadata.name} does not hold a release`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
